/** The step between understanding a batch and writing it: finds the maps of its stacks, once for all repeats, and applies them. */
import type { Logger } from 'pino'
import { groupEvent } from '#grouping/group-event.ts'
import type { Seal } from '#inbox/seals.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { Control } from '#store/control/control.ts'
import { type FoundMaps, findMaps } from '#symbolication/find-maps.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import { isThreadEnd } from '#symbolication/start-symbolicator.ts'
import { applyFrameResults, type FrameResult, resolveFrames } from '#symbolication/symbolicate-events.ts'
import type { MinifiedStack, ProcessedRecord, UnmappedEvent } from '../processed-record.ts'
import type { LookupLog } from './lookup-log.ts'

type Options = { control: Control; symbolicator: Symbolicator; lookups: LookupLog; log: Logger }
type Retry = <Value>(attempt: () => Promise<Value>) => Promise<Value>

export type BatchSymbolicator = (
  seal: Seal,
  records: readonly { processed: ProcessedRecord }[],
  retry: Retry,
) => Promise<void>

export function createBatchSymbolicator({ control, symbolicator, lookups, log }: Options): BatchSymbolicator {
  return async (seal, records, retry) => {
    const stacks = batchStacks(records)
    if (stacks.length === 0) return
    const wanted = stacks.flatMap(({ stack }) => stack.frames.map(frame => frame.wanted))
    const known = lookups.find(seal)
    const found = known ?? (await retry(() => findMaps(control.db, wanted)))
    if (known === null) await lookups.write(seal, found)
    const isDone = await retry(() => tryMap(found))
    if (isDone) return
    // Nothing of the batch is written yet, so it may still be decided that it has no maps.
    log.error(
      { batch: seal.batch, maps: found.size },
      'source maps ended the symbolication thread; going on without them',
    )
    await lookups.write(seal, new Map())
    await mapBatch(symbolicator, stacks, new Map())

    async function tryMap(maps: FoundMaps): Promise<boolean> {
      for (let attempt = 0; attempt < 2; attempt++) {
        try {
          await mapBatch(symbolicator, stacks, maps)
          return true
        } catch (error) {
          if (!isThreadEnd(error)) throw error
        }
      }
      return false
    }
  }
}

/* Puts the sources' own places into a batch's stacks, and groups those events anew: what is shown is what was grouped. */

async function mapBatch(symbolicator: Symbolicator, stacks: readonly BatchStack[], maps: FoundMaps): Promise<void> {
  const results = await resolveFrames(
    symbolicator,
    stacks.flatMap(({ stack }) => stack.frames),
    maps,
  )
  let start = 0
  for (const { stack, processed } of stacks) {
    const own = results.slice(start, start + stack.frames.length)
    start += stack.frames.length
    const used = own.flatMap(({ found }) => (found?.answer.kind === 'mapped' ? [found.ref.bundleId] : []))
    noteUse(processed, used)
    if (used.length > 0) makeReadable(stack, own)
    processed.unmapped.push(...unmappedOf(stack, own))
  }
}

function noteUse(processed: ProcessedRecord, bundleIds: readonly number[]): void {
  for (const id of new Set(bundleIds)) if (!processed.usedBundleIds.includes(id)) processed.usedBundleIds.push(id)
}

/** Read again from its row: few have maps, and a batch of events as objects is more than the rest of it together. */
function makeReadable({ row, grouped }: MinifiedStack, results: readonly FrameResult[]): void {
  const event = JSON.parse(row.data) as StoredEvent // as event-row.ts wrote it
  if (!applyFrameResults(event, results)) return
  const { version, hash, fallbacks, title, culprit } = groupEvent(event)
  Object.assign(row, { group_version: version, group_hash: hash, title, culprit, data: JSON.stringify(event) })
  Object.assign(grouped, { groupVersion: version, groupHash: hash, groupFallbacks: fallbacks, title, culprit })
}

/** An event of a batch that a source map may make readable. */
type BatchStack = { stack: MinifiedStack; processed: ProcessedRecord }

function batchStacks(records: readonly { processed: ProcessedRecord }[]): BatchStack[] {
  return records.flatMap(({ processed }) => processed.stacks.map(stack => ({ stack, processed })))
}

/* Which maps would have changed the hash of an event. */

/** Frames nearest to the throw: those that decide. */
const maxFrames = 5

function unmappedOf({ row, deciding }: MinifiedStack, results: readonly FrameResult[]): UnmappedEvent[] {
  const missing = results.filter(({ frame, found }) => found?.answer.kind !== 'mapped' && deciding.includes(frame))
  const builds = missing
    .slice(-maxFrames)
    .map(({ frame: { wanted } }) =>
      wanted.debugId === '' ? { debugId: '', release: wanted.release, dist: wanted.dist } : noBuild(wanted.debugId),
    )
  const distinct = new Map(builds.map(build => [JSON.stringify(build), build]))
  return [...distinct.values()].map(build => ({
    projectId: row.project_id,
    groupVersion: row.group_version,
    groupHash: row.group_hash,
    eventId: row.event_id,
    ...build,
  }))
}

const noBuild = (debugId: string) => ({ debugId, release: '', dist: '' })
