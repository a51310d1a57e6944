/** Symbolicates and regroups the events of a batch. Source maps are looked up once, so that a repeat uses the same ones. */
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
    const isDone = await retry(() => trySymbolicate(found))
    if (isDone) return
    // Nothing of the batch is written yet, so it can still be stored without source maps.
    log.error(
      { batch: seal.batch, maps: found.size },
      'source maps ended the symbolication thread; storing the batch without them',
    )
    await lookups.write(seal, new Map())
    await symbolicateStacks(symbolicator, stacks, new Map())

    async function trySymbolicate(maps: FoundMaps): Promise<boolean> {
      for (let attempt = 0; attempt < 2; attempt++) {
        try {
          await symbolicateStacks(symbolicator, stacks, maps)
          return true
        } catch (error) {
          if (!isThreadEnd(error)) throw error
        }
      }
      return false
    }
  }
}

async function symbolicateStacks(
  symbolicator: Symbolicator,
  stacks: readonly BatchStack[],
  maps: FoundMaps,
): Promise<void> {
  const results = await resolveFrames(
    symbolicator,
    stacks.flatMap(({ stack }) => stack.frames),
    maps,
  )
  let start = 0
  for (const { stack, processed } of stacks) {
    const own = results.slice(start, start + stack.frames.length)
    start += stack.frames.length
    const used = own.flatMap(({ found }) => (found?.result.kind === 'mapped' ? [found.ref.bundleId] : []))
    addUsedBundles(processed, used)
    if (used.length > 0) symbolicateEvent(stack, own)
    processed.unmapped.push(...unmappedOf(stack, own))
  }
}

function addUsedBundles(processed: ProcessedRecord, bundleIds: readonly number[]): void {
  for (const id of new Set(bundleIds)) if (!processed.usedBundleIds.includes(id)) processed.usedBundleIds.push(id)
}

/** Parses the event again from its row: few have source maps, and keeping all events as objects would take much memory. */
function symbolicateEvent({ row, grouped, sentData }: MinifiedStack, results: readonly FrameResult[]): void {
  const event = JSON.parse(row.data) as StoredEvent // written by process-event.ts
  if (!applyFrameResults(event, results)) return
  const { title, culprit } = groupEvent(event)
  const { version, hash, fallbacks } = groupEvent(sentData === undefined ? event : mapSent(sentData, results))
  Object.assign(row, { group_version: version, group_hash: hash, title, culprit, data: JSON.stringify(event) })
  Object.assign(grouped, { groupVersion: version, groupHash: hash, groupFallbacks: fallbacks, title, culprit })
}

function mapSent(sentData: string, results: readonly FrameResult[]): StoredEvent {
  const event = JSON.parse(sentData) as StoredEvent // written by process-event.ts
  applyFrameResults(event, results)
  return event
}

/** An event of a batch that a source map may make readable. */
type BatchStack = { stack: MinifiedStack; processed: ProcessedRecord }

function batchStacks(records: readonly { processed: ProcessedRecord }[]): BatchStack[] {
  return records.flatMap(({ processed }) => processed.stacks.map(stack => ({ stack, processed })))
}

/** Only the frames nearest to the throw decide the hash. */
const maxFrames = 5

/** The builds whose source maps would have changed the hash of an event. */
function unmappedOf({ row, deciding }: MinifiedStack, results: readonly FrameResult[]): UnmappedEvent[] {
  const missing = results.filter(({ frame, found }) => found?.result.kind !== 'mapped' && deciding.includes(frame))
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
