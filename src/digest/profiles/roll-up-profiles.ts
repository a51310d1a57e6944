/**
 * Sums profiles by route. The spans of a profiler and its chunks come in any order and in different batches, so both are remembered for
 * a while: each pair is counted in the batch that brings the second of the two. After a restart they are read from the stores (0080).
 */
import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { imagesOf, namedFrames, stackOf } from '#domain/profiles/name-frames.ts'
import { readChunk, shiftChunk } from '#domain/profiles/read-chunk.ts'
import { jsonOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'
import { noId, type ProfileSumRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { findMaps } from '#symbolication/find-maps.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import { isThreadEnd } from '#symbolication/start-symbolicator.ts'
import { applyFrameResults, debugIdsOf, minifiedFrames, resolveFrames } from '#symbolication/symbolicate-events.ts'
import type { PreparedBatch } from '../prepared-batch.ts'
import type { BlobSource } from '../processed-record.ts'
import { restoreChunks, restoreSpans, type SentChunk } from './restore-halves.ts'
import { type ProfiledSpan, profiledSpanOf, type SampledChunk, sampleChunk, sumFunctions } from './sum-functions.ts'

type Stores = { control: Control; telemetry: Telemetry; blobs: Blobs; symbolicator: Symbolicator; log: Logger }
type Retry = <Value>(attempt: () => Promise<Value>) => Promise<Value>
type Batch = Pick<PreparedBatch, 'rows' | 'blobs' | 'receivedAt' | 'batchId'>
export type ProfileRollup = (batch: Batch, retry: Retry) => Promise<ProfileSumRow[]>

/** A chunk comes up to a minute after its spans, spans some seconds after their chunk. */
const [keptSpansMs, keptChunksMs] = [3 * 60_000, 60_000]
const [mostSpans, mostSlices] = [20_000, 300_000]
/** Bytes. A minute has some hundred thousand; parsing more would hold up digest. */
const maxChunkBytes = 8 * 1024 * 1024
const restored = { spans: mostSpans, chunks: 200, chunkBytes: maxChunkBytes }

export function createProfileRollup(stores: Stores): ProfileRollup {
  let spans: ProfiledSpan[] = []
  let chunks: SampledChunk[] = []
  let isRestored = false
  async function restore(batch: Batch, retry: Retry): Promise<void> {
    spans = await retry(() => restoreSpans(stores, batch, restored))
    const named: SampledChunk[] = []
    for (const chunk of await retry(() => restoreChunks(stores, batch, restored)))
      named.push(...(await nameChunk(stores, chunk, retry)))
    chunks = named
    isRestored = true
  }
  return async (batch, retry) => {
    const newSpans = batch.rows.spans.flatMap(row => profiledSpanOf(row) ?? [])
    const newChunks: SampledChunk[] = []
    for (const chunk of readChunks(batch)) newChunks.push(...(await nameChunk(stores, chunk, retry)))
    if (newSpans.length === 0 && newChunks.length === 0) return []
    if (!isRestored) await restore(batch, retry)
    const known = [...spans, ...newSpans]
    const rows = [
      ...newChunks.flatMap(chunk => sumFunctions(chunk, ofProfiler(known, chunk))),
      ...chunks.flatMap(chunk => sumFunctions(chunk, ofProfiler(newSpans, chunk))),
    ]
    const { receivedAt } = batch
    spans = known.filter(({ row }) => row.received_at > receivedAt - keptSpansMs).slice(-mostSpans)
    let left = mostSlices
    chunks = [...newChunks.toReversed(), ...chunks].filter(
      ({ row, slices }) => row.received_at > receivedAt - keptChunksMs && (left -= slices) > 0,
    )
    return rows
  }
}

const ofProfiler = (spans: readonly ProfiledSpan[], { row }: SampledChunk): ProfiledSpan[] =>
  spans.filter(span => span.profilerId === row.profiler_id && span.row.project_id === row.project_id)

function readChunks({ rows, blobs }: Batch): SentChunk[] {
  const sources = new Map(blobs.map(({ key, source }) => [key, source]))
  return rows.profiles.flatMap((row): SentChunk[] => {
    const source = row.profiler_id === noId || row.size_bytes > maxChunkBytes ? undefined : sources.get(row.blob)
    const chunk = source === undefined ? null : readChunk(jsonOf(textOf(source)))
    return chunk === null ? [] : [{ row, chunk: shiftChunk(chunk, row.timestamp) }]
  })
}

const textOf = (source: BlobSource): string =>
  source.kind === 'bytes'
    ? source.bytes.toString('utf8')
    : readFileSync(source.path).toString('utf8', source.start, source.end)

/** With the names that source maps know already; pages try again with those that are uploaded later. */
async function nameChunk(stores: Stores, { row, chunk }: SentChunk, retry: Retry): Promise<SampledChunk[]> {
  const { control, symbolicator, log } = stores
  const event = stackOf(chunk.frames, chunk.release, imagesOf([chunk])) as unknown as StoredEvent
  const minified = minifiedFrames(event, row.project_id)
  const named = await retry(async () => {
    const wanted = minified.map(frame => frame.wanted)
    const maps = await findMaps(control.db, wanted)
    if (maps.size === 0) return chunk.frames
    try {
      const isChanged = applyFrameResults(event, await resolveFrames(symbolicator, minified, maps))
      return isChanged ? namedFrames(chunk.frames, event) : chunk.frames
    } catch (error) {
      if (!isThreadEnd(error)) throw error
      log.error({ maps: maps.size }, 'source maps ended the symbolication thread; summing a profile without them')
      return chunk.frames
    }
  })
  const sampled = sampleChunk(row, { ...chunk, frames: named }, debugIdsOf(event))
  return sampled === null ? [] : [sampled]
}
