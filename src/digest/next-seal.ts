/** Decides which records form the next batch. The decision is sealed in seals.log before the batch is processed. */
import { readSlice } from '#inbox/read-log.ts'
import {
  type Committed,
  contentOf,
  isPlanned,
  type PlannedEnd,
  type Seal,
  type Seals,
  type SetAside,
} from '#inbox/seals.ts'
import { readEnd, waitForEnd } from '#inbox/segment-ends.ts'
import type { Cursor } from './cursor.ts'
import { hasDueEvents } from './link/plan-batch.ts'
import { type LoopOptions, planContext } from './loop-options.ts'
import { readBatch } from './process-records.ts'
import { retryUntilStopped } from './retry.ts'

type Options = LoopOptions & { planned: readonly PlannedEnd[] }

/** `isSettled`: no batch is being written. */
type Progress = { committed: Committed; isSettled: boolean }

/**
 * A seal of an earlier run comes first, otherwise the next records are sealed. When there are none, but a held event or a deferred
 * user is due, an empty batch is sealed. Null when there is nothing to do within a second.
 */
export async function nextSeal(
  options: Options,
  seals: Seals,
  prepared: Cursor,
  { committed, isSettled }: Progress,
): Promise<Seal | null> {
  const batch = prepared.batch + 1
  const kept = seals.pending(committed.batch).find(seal => seal.batch === batch)
  if (kept && options.suspect?.batch === batch) return sealAgain(options, seals, kept, committed)
  if (kept) return kept
  const known = readEnd(options.end)
  const slice = await readSlice(options.source.folder, prepared, known, options.bound)
  const first = slice.damaged.length > 0 ? { at: prepared } : slice.records[0]
  const isDue = !first && isSettled && (await retryUntilStopped(options, () => hasDueEvents(planContext(options))))
  if (!first && !isDue) {
    if (!options.isStopping()) await waitForEnd(options.end, known, 1_000)
    return null
  }
  const { segment, position: start } = first?.at ?? prepared
  const { segment: endSegment, position: end } = first ? slice.next : { segment, position: start }
  const { retentionDays } = options.source
  const seal: Seal = { batch, segment, start, endSegment, end, content: contentOf(slice.records), retentionDays }
  await seals.write(seal, committed)
  return seal
}

/**
 * The seal of a batch that ended the thread. While nothing of it is written, it may still be cut in half. A record is set aside
 * only when it took too much CPU time, or when it was alone in its batch: in a larger one any record may be the cause.
 */
async function sealAgain(
  { source, suspect, planned }: Options,
  seals: Seals,
  seal: Seal,
  committed: Committed,
): Promise<Seal> {
  const at = suspect?.record ?? null
  if (isPlanned(seal, planned)) {
    // Some rows may be stored under the id of this range, so it cannot be cut. Its records have been processed before: only one that
    // ends the thread can be the cause, and CPU time does not matter.
    if (suspect?.why !== 'ended_thread' || at === null) return seal
    return setAside({ ...at, why: 'ended_thread' })
  }
  if (suspect?.why === 'too_expensive' && at !== null) return setAside({ ...at, why: 'too_expensive' })
  const { records } = await readBatch(source, seal)
  const [only, middle] = [records[0], records[records.length >> 1]]
  if (only === undefined || middle === undefined) return seal
  if (records.length === 1) return setAside({ ...only.at, why: 'ended_thread' })
  const half = { ...seal, endSegment: middle.at.segment, end: middle.at.position }
  const content = contentOf(records.slice(0, records.length >> 1))
  const smaller = seal.content === undefined ? half : { ...half, content }
  await seals.write(smaller, committed)
  return smaller

  async function setAside(record: SetAside): Promise<Seal> {
    const without = { ...seal, setAside: [...(seal.setAside ?? []), record] }
    await seals.write(without, committed)
    return without
  }
}
