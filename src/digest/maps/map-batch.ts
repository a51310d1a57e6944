/** Puts the sources' own places into a batch's stacks, and groups those events anew: what is shown is what was grouped. */
import { groupEvent } from '#group/group-event.ts'
import { applyFates, traceFrames } from '#symbolicate/event/symbolicate-events.ts'
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
    stacks.flatMap(({ frames }) => frames),
    maps,
  )
  let start = 0
  for (const { stack, yielded, frames } of stacks) {
    const own = fates.slice(start, start + frames.length)
    start += frames.length
    noteUse(
      yielded,
      own.flatMap(({ found }) => (found?.answer.kind === 'mapped' ? [found.ref.bundleId] : [])),
    )
    if (applyFates(stack.event, own)) regroup(stack)
    yielded.unmapped.push(...unmappedOf(stack, own))
  }
}

function noteUse(yielded: RecordYield, bundleIds: readonly number[]): void {
  for (const id of new Set(bundleIds)) if (!yielded.usedBundleIds.includes(id)) yielded.usedBundleIds.push(id)
}

function regroup({ event, row, sighting }: StackYield): void {
  const { version, hash, fallbacks, title, culprit } = groupEvent(event)
  Object.assign(row, { group_version: version, group_hash: hash, title, culprit, data: JSON.stringify(event) })
  Object.assign(sighting, { groupVersion: version, groupHash: hash, groupFallbacks: fallbacks, title, culprit })
}
