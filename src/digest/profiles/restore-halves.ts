/**
 * What the rollup of profiles remembered before a restart, from the stores: the spans and chunks of the last minutes whose other half may
 * still come. Pairs of two restored halves were counted before; only what is new is paired with them.
 */
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { type Chunk, readChunk, shiftChunk } from '#domain/profiles/read-chunk.ts'
import { jsonOf } from '#lib/json-value.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { ProfileRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { ProfiledSpan } from './sum-functions.ts'

export type SentChunk = { row: ProfileRow; chunk: Chunk }
type Stores = { telemetry: Telemetry; blobs: Blobs }
/** The batch that is digested now: an earlier attempt may have stored its rows. */
type Batch = { batchId: string; receivedAt: number }
type Limits = { spans: number; chunks: number; chunkBytes: number }

/** The time of a restart is added to that for which halves are remembered. */
const restoredMs = 15 * 60_000
/** Rows are ordered by their own time, which is before they were received. */
const longestMs = 3_600_000

const noId = `toUUID('00000000-0000-0000-0000-000000000000')`
/**
 * Reads only this node's batches, because other nodes remember the halves that they have received. Skips the current batch and its
 * pieces: a large batch is stored in pieces, each with its own id (`7/0`).
 */
const ofInbox = `received_at > fromUnixTimestamp64Milli({from:Int64}) AND timestamp > fromUnixTimestamp64Milli({earliest:Int64})
  AND profiler_id != ${noId} AND startsWith(batch_id, {inbox:String})
  AND batch_id != {batch:String} AND NOT startsWith(batch_id, {pieces:String})`

const paramsOf = ({ batchId, receivedAt }: Batch) => ({
  from: receivedAt - restoredMs,
  earliest: receivedAt - restoredMs - longestMs,
  inbox: batchId.slice(0, batchId.indexOf(':') + 1),
  batch: batchId,
  pieces: `${batchId}/`,
})

const plain = (column: string): string => `replaceAll(toString(${column}), '-', '')`

const spanRow = z.object({
  project_id: z.coerce.number(),
  start_us: z.coerce.number(),
  duration_us: z.coerce.number(),
  received: z.coerce.number(),
  retention_days: z.coerce.number(),
  route: z.string(),
  release: z.string(),
  environment: z.string(),
  trace: z.string(),
  span: z.string(),
  profiler: z.string(),
  thread: z.string(),
})

export async function restoreSpans({ telemetry }: Stores, batch: Batch, { spans }: Limits): Promise<ProfiledSpan[]> {
  const rows = await telemetry.query({
    query: `
      SELECT project_id, toUnixTimestamp64Micro(timestamp) AS start_us, duration_us, toUnixTimestamp64Milli(received_at) AS received,
        retention_days, route, release, environment, ${plain('trace_id')} AS trace, toString(span_id) AS span,
        ${plain('profiler_id')} AS profiler, attributes['thread.id'] AS thread
      FROM spans WHERE ${ofInbox} AND is_segment AND route != ''
      ORDER BY received_at DESC LIMIT {limit:UInt32}`,
    params: { ...paramsOf(batch), limit: spans },
    schema: spanRow,
  })
  return rows.toReversed().map(row => ({
    row: {
      project_id: row.project_id,
      received_at: row.received,
      retention_days: row.retention_days,
      route: row.route,
      release: row.release,
      environment: row.environment,
      trace_id: row.trace,
      span_id: row.span,
    },
    profilerId: row.profiler,
    thread: row.thread || null,
    fromMs: row.start_us / 1e3,
    toMs: (row.start_us + row.duration_us) / 1e3,
  }))
}

const chunkRow = z.object({
  project_id: z.coerce.number(),
  at: z.coerce.number(),
  received: z.coerce.number(),
  retention_days: z.coerce.number(),
  kind: z.string(),
  profile: z.string(),
  profiler: z.string(),
  platform: z.string(),
  environment: z.string(),
  release: z.string(),
  trace: z.string(),
  size_bytes: z.coerce.number(),
  blob: z.string(),
})

/** The newest first. */
export async function restoreChunks(
  { telemetry, blobs }: Stores,
  batch: Batch,
  { chunks, chunkBytes }: Limits,
): Promise<SentChunk[]> {
  const rows = await telemetry.query({
    query: `
      SELECT project_id, toUnixTimestamp64Milli(timestamp) AS at, toUnixTimestamp64Milli(received_at) AS received, retention_days, kind,
        ${plain('profile_id')} AS profile, ${plain('profiler_id')} AS profiler, platform, environment, release,
        ${plain('trace_id')} AS trace, size_bytes, blob
      FROM profiles WHERE ${ofInbox} AND size_bytes <= {bytes:UInt64}
      ORDER BY received_at DESC LIMIT {limit:UInt32}`,
    params: { ...paramsOf(batch), bytes: chunkBytes, limit: chunks },
    schema: chunkRow,
  })
  const restored: SentChunk[] = []
  for (const { at, received, profile, profiler, trace, ...rest } of rows) {
    const stream = await blobs.read(rest.blob)
    const chunk = stream === null ? null : readChunk(jsonOf((await buffer(stream)).toString('utf8')))
    if (chunk === null) continue
    const ids = { profile_id: profile, profiler_id: profiler, trace_id: trace }
    restored.push({
      row: { ...rest, ...ids, timestamp: at, received_at: received, weight: 1 },
      chunk: shiftChunk(chunk, at),
    })
  }
  return restored
}
