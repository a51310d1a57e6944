import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { readStacks } from '#domain/events/stacks/read-stacks.ts'
import { findSpan, type SpanDetails } from '#domain/traces/find-span.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import { type CutProfile, cutProfile } from './cut-profile.ts'
import { imagesOf, isBundled, namedFrames, stackOf } from './name-frames.ts'
import { type Chunk, type ProfileFrame, readChunk, shiftChunk } from './read-chunk.ts'

export type SpanProfile = {
  span: SpanDetails
  /** Null if the span was not profiled, or nothing of the profile is stored. */
  profile: CutProfile | null
  platform: string
  /** Of the app's frames, how many have the names of their sources. */
  mapped: { own: number; named: number }
}

const row = z.object({
  project_id: z.coerce.number(),
  at: z.coerce.number(),
  blob: z.string(),
  size_bytes: z.coerce.number(),
})

/** SDKs send a chunk every minute, and Sentry's relay refuses longer ones than this. */
export const longestChunkMs = 66_000
const mostChunks = 20
/** Bytes of JSON: a minute of deep stacks has some. */
const maxBytes = 32 * 1024 * 1024

type Stores = { blobs: Blobs; symbolicator: Symbolicator }

/** The profile of a span: the chunks of its profiler, cut to its time and thread, with the names that source maps know. */
export async function findSpanProfile(
  viewer: Viewer,
  stores: Stores,
  { traceId, spanId }: { traceId: string; spanId: string },
): Promise<SpanProfile | null> {
  const span = await findSpan(viewer, traceId, spanId)
  if (!span) return null
  const none = { span, profile: null, platform: '', mapped: { own: 0, named: 0 } }
  if (!/^[0-9a-f]{32}$/.test(span.profilerId)) return none
  const toMs = span.at + span.duration_us / 1_000
  const rows = await viewer.telemetry.query({
    query: `
      SELECT project_id, toUnixTimestamp64Milli(timestamp) AS at, blob, size_bytes FROM profiles
      WHERE {scope} AND profiles.timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND profiles.timestamp <= fromUnixTimestamp64Milli({to:Int64}) AND profiler_id = {profilerId:UUID}
      ORDER BY profiles.timestamp LIMIT {limit:UInt32}`,
    params: {
      from: Math.floor(span.at - longestChunkMs),
      to: Math.ceil(toMs),
      profilerId: asUuid(span.profilerId),
      limit: mostChunks,
    },
    schema: row,
  })
  const chunks: Chunk[] = []
  for (const { at, blob, size_bytes } of rows) {
    const chunk = size_bytes > maxBytes ? null : await readBlob(stores.blobs, blob)
    if (chunk !== null) chunks.push(shiftChunk(chunk, at))
  }
  const named = span.attributes['thread.id'] ?? null
  const profile = cutProfile(chunks, { fromMs: span.at, toMs, thread: named })
  const projectId = rows[0]?.project_id
  if (profile === null || projectId === undefined) return none
  const frames = await nameFrames(viewer, stores.symbolicator, projectId, profile, chunks)
  const used = new Set(profile.slices.flatMap(({ stack }) => stack))
  const own = frames.filter((frame, at) => used.has(at) && frame.isOwn)
  return {
    span,
    profile: { ...profile, frames },
    platform: chunks[0]?.platform ?? '',
    mapped: { own: own.length, named: own.filter(({ file }) => !isBundled(file)).length },
  }
}

async function readBlob(blobs: Blobs, key: string): Promise<Chunk | null> {
  const stream = await blobs.read(key)
  if (stream === null) return null
  try {
    return readChunk(JSON.parse((await buffer(stream)).toString('utf8')))
  } catch {
    // Stored as it was sent, and larger ones without being parsed.
    return null
  }
}

/** Names and lines through source maps, each frame once. */
async function nameFrames(
  viewer: Viewer,
  symbolicator: Symbolicator,
  projectId: number,
  { frames }: CutProfile,
  chunks: readonly Chunk[],
): Promise<ProfileFrame[]> {
  const data = JSON.stringify(stackOf(frames, chunks[0]?.release ?? '', imagesOf(chunks)))
  const read = await readStacks(viewer, symbolicator, { projectId, data })
  return namedFrames(frames, JSON.parse(read.data))
}
