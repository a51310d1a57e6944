/** The step between understanding a batch and writing it: finds the maps of its stacks, once for all repeats, and applies them. */
import type { Logger } from 'pino'
import type { Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import { type FoundMaps, findMaps } from '#symbolicate/lookup/find-maps.ts'
import type { Symbolicator } from '#symbolicate/symbolicator.ts'
import { isThreadEnd } from '#symbolicate/thread/start-symbolicator.ts'
import type { RecordYield } from '../yield.ts'
import { batchStacks } from './batch-stacks.ts'
import type { LookupLog } from './lookup-log.ts'
import { mapBatch } from './map-batch.ts'

type Options = { control: Control; symbolicator: Symbolicator; lookups: LookupLog; log: Logger }
type Retry = <Value>(attempt: () => Promise<Value>) => Promise<Value>

export type BatchMapper = (seal: Seal, understood: readonly { yielded: RecordYield }[], retry: Retry) => Promise<void>

export function createBatchMapper({ control, symbolicator, lookups, log }: Options): BatchMapper {
  return async (seal, understood, retry) => {
    const stacks = batchStacks(understood)
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
