/**
 * Which maps were found for a batch is written down before the batch is worked on. A repeat after a crash looks here and not in the
 * database, where a late upload may have arrived or an old one may have gone: the same batch to the byte. One line a batch.
 */
import { openLineLog } from '#inbox/line-log.ts'
import type { Seal } from '#inbox/seals.ts'
import type { FoundMaps } from '#symbolication/find-maps.ts'
import type { MapRef } from '#symbolication/mapped-frame.ts'

export type LookupLog = {
  readonly damagedLines: number
  /** Null when the lookup of exactly these records was never written: then nothing of them was either. */
  find(seal: Seal): FoundMaps | null
  /** The same records a second time replace the first: allowed only while nothing of them was written. */
  write(seal: Seal, found: FoundMaps): Promise<void>
  close(): Promise<void>
}

/** One of an older version ended in the file in which it began. */
type WrittenSeal = Omit<Seal, 'endSegment'> & { endSegment?: number }
type Lookup = { seal: WrittenSeal; found: [string, MapRef][] }

/** Batches in flight: the one that is being written and the one that is being understood. */
const inFlight = 2

export async function openLookupLog(folder: string, committedBatch: number): Promise<LookupLog> {
  const log = await openLineLog<Lookup>({
    folder,
    name: 'lookups.log',
    format: lookup => JSON.stringify(lookup),
    // Only what was written by us passes the checksum.
    parse: text => [JSON.parse(text) as Lookup],
    live: lookups => lookups.filter(({ seal }) => seal.batch > committedBatch),
  })
  let live = log.items
  return {
    damagedLines: log.damagedLines,
    find: seal => {
      const lookup = live.findLast(each => isSame(each.seal, seal))
      return lookup ? new Map(lookup.found) : null
    },
    write: (seal, found) => {
      live = [...live.filter(each => each.seal.batch > seal.batch - inFlight), { seal, found: [...found] }]
      return log.write(live)
    },
    close: log.close,
  }
}

const isSame = (a: WrittenSeal, b: Seal): boolean =>
  a.batch === b.batch &&
  a.segment === b.segment &&
  a.start === b.start &&
  (a.endSegment ?? a.segment) === b.endSegment &&
  a.end === b.end
