/** Which records form the next batch, written down before it is worked on. */

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
import type { Cursor } from './commit-batch.ts'
import { hasDueEvents } from './link/plan-batch.ts'
import type { LoopOptions } from './loop-options.ts'
import { planContext } from './loop-options.ts'
import { readSealed } from './prepare-batch.ts'
import { retrying } from './refusals.ts'

type Options = LoopOptions & { planned: readonly PlannedEnd[] }

type Standing = { committed: Committed; isSettled: boolean }

/**
 * A seal from an earlier life comes first; else the next records are sealed now, or none of them for events that have waited
 * long enough; null when there is nothing within a second.
 */
export async function nextSeal(
  options: Options,
  seals: Seals,
  ahead: Cursor,
  standing: Standing,
): Promise<Seal | null> {
  const { committed, isSettled } = standing
  const batch = ahead.batch + 1
  const kept = seals.pending(committed.batch).find(seal => seal.batch === batch)
  if (kept && options.suspect?.batch === batch) return sealAnew(options, seals, kept, committed)
  if (kept) return kept
  const known = readEnd(options.end)
  const slice = await readSlice(options.source.folder, ahead, known, options.bound)
  const first = slice.damaged.length > 0 ? { at: ahead } : slice.records[0]
  const isRipe = !first && isSettled && (await retrying(options, () => hasDueEvents(planContext(options))))
  if (!first && !isRipe) {
    await waitForEnd(options.end, known, 1_000)
    return null
  }
  const { segment, position: start } = first?.at ?? ahead
  const { segment: endSegment, position: end } = first ? slice.next : { segment, position: start }
  const { retentionDays } = options.source
  const seal: Seal = { batch, segment, start, endSegment, end, content: contentOf(slice.records), retentionDays }
  await seals.write(seal, committed)
  return seal
}

/**
 * While a batch is being processed for the first time nothing of it is written, so it may still be cut smaller. A record is set aside
 * only when it took too much CPU time or when it has ended the thread alone: the first half of a pair is as likely to be innocent.
 */
async function sealAnew(
  { source, suspect, planned }: Options,
  seals: Seals,
  seal: Seal,
  committed: Committed,
): Promise<Seal> {
  const at = suspect?.record ?? null
  if (isPlanned(seal, planned)) {
    // Some rows may be stored under the id that the range gives. Its records have been processed before: only a record that ends the
    // thread can be at fault, and how much CPU time it took does not matter.
    if (suspect?.why !== 'ended_thread' || at === null) return seal
    return setAside({ ...at, why: 'ended_thread' })
  }
  if (suspect?.why === 'too_expensive' && at !== null) return setAside({ ...at, why: 'too_expensive' })
  const { records } = await readSealed(source, seal)
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
