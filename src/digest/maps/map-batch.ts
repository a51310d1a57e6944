/** Puts the sources' own places into a batch's stacks, and groups those events anew: what is shown is what was grouped. */
import { groupEvent } from '#group/group-event.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { applyFates, type FrameFate, traceFrames } from '#symbolicate/event/symbolicate-events.ts'
import type { FoundMaps } from '#symbolicate/lookup/find-maps.ts'
import type { Symbolicator } from '#symbolicate/symbolicator.ts'
import type { RecordYield, StackYield } from '../yield.ts'
import type { BatchStack } from './batch-stacks.ts'
import { unmappedOf } from './unmapped-of.ts'

export async function mapBatch(
  symbolicator: Symbolicator,
  stacks: readonly BatchStack[],
  maps: FoundMaps,
): Promise<void> {
  const fates = await traceFrames(
    symbolicator,
    stacks.flatMap(({ stack }) => stack.frames),
    maps,
  )
  let start = 0
  for (const { stack, yielded } of stacks) {
    const own = fates.slice(start, start + stack.frames.length)
    start += stack.frames.length
    const used = own.flatMap(({ found }) => (found?.answer.kind === 'mapped' ? [found.ref.bundleId] : []))
    noteUse(yielded, used)
    if (used.length > 0) makeReadable(stack, own)
    yielded.unmapped.push(...unmappedOf(stack, own))
  }
}

function noteUse(yielded: RecordYield, bundleIds: readonly number[]): void {
  for (const id of new Set(bundleIds)) if (!yielded.usedBundleIds.includes(id)) yielded.usedBundleIds.push(id)
}

/** Read again from its row: few have maps, and a batch of events as objects is more than the rest of it together. */
function makeReadable({ row, sighting }: StackYield, fates: readonly FrameFate[]): void {
  const event = JSON.parse(row.data) as StoredEvent // as event-row.ts wrote it
  if (!applyFates(event, fates)) return
  const { version, hash, fallbacks, title, culprit } = groupEvent(event)
  Object.assign(row, { group_version: version, group_hash: hash, title, culprit, data: JSON.stringify(event) })
  Object.assign(sighting, { groupVersion: version, groupHash: hash, groupFallbacks: fallbacks, title, culprit })
}
