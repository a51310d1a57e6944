/** Which records form the next batch, written down before it is worked on. */
import { readEnd, waitForEnd } from '#inbox/durable-end.ts'
import { readSlice } from '#inbox/read-log.ts'
import { type Committed, contentOf, type Seal, type Seals } from '#inbox/seals.ts'
import { hasRipe } from '../plan/plan-batch.ts'
import type { Cursor } from './commit-batch.ts'
import type { LoopOptions } from './digest-loop.ts'
import { planPlace } from './plan-place.ts'
import { readSealed } from './prepare-batch.ts'
import { retrying } from './retrying.ts'

export type Next = { seal: Seal; isPoisoned: boolean }

type Standing = { committed: Committed; isSettled: boolean }

/**
 * A seal from an earlier life comes first; else the next records are sealed now, or none of them for events that have waited
 * long enough; null when there is nothing within a second.
 */
export async function nextSeal(
  options: LoopOptions,
  seals: Seals,
  ahead: Cursor,
  standing: Standing,
): Promise<Next | null> {
  const { committed, isSettled } = standing
  const batch = ahead.batch + 1
  const kept = seals.pending(committed.batch).find(seal => seal.batch === batch)
  if (kept && options.suspectBatch === batch) return halve(options, seals, kept, committed)
  if (kept) return { seal: kept, isPoisoned: false }
  const known = readEnd(options.end)
  const slice = await readSlice(options.source.folder, ahead, known, options.bound)
  const first = slice.damaged.length > 0 ? { place: ahead } : slice.records[0]
  const isRipe = !first && isSettled && (await retrying(options, () => hasRipe(planPlace(options))))
  if (!first && !isRipe) {
    await waitForEnd(options.end, known, 1_000)
    return null
  }
  const { segment, position: start } = first?.place ?? ahead
  const { segment: endSegment, position: end } = first ? slice.next : { segment, position: start }
  const { retentionDays } = options.source
  const seal: Seal = { batch, segment, start, endSegment, end, content: contentOf(slice.records), retentionDays }
  await seals.write(seal, committed)
  return { seal, isPoisoned: false }
}

/**
 * Nothing of a batch is written while it is being understood, so it may still be cut smaller. A record is poisonous only when it
 * has ended the thread alone: the first half of a pair is as likely to be innocent.
 */
async function halve({ source }: LoopOptions, seals: Seals, seal: Seal, committed: Committed): Promise<Next> {
  const { records } = await readSealed(source, seal)
  const middle = records[records.length >> 1]
  if (records.length < 2 || !middle) return { seal, isPoisoned: true }
  const half = { ...seal, endSegment: middle.place.segment, end: middle.place.position }
  const content = contentOf(records.slice(0, records.length >> 1))
  const smaller = seal.content === undefined ? half : { ...half, content }
  await seals.write(smaller, committed)
  return { seal: smaller, isPoisoned: false }
}
