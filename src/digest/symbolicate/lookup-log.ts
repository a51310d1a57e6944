/**
 * Records which source maps were found for a batch before they are used. A repeat after a crash reads this log instead of the database,
 * where bundles may have come or gone since, and so gives exactly the same rows. One line per batch.
 */
import { openLineLog } from '#inbox/line-log.ts'
import type { Seal } from '#inbox/seals.ts'
import type { FoundMaps } from '#symbolication/find-maps.ts'
import type { MapRef } from '#symbolication/mapped-frame.ts'

export type LookupLog = {
  readonly damagedLines: number
  /** Null when there is no lookup for exactly these records: then none of their rows is written either. */
  find(seal: Seal): FoundMaps | null
  /** A second lookup of the same records replaces the first: only allowed while none of their rows is written. */
  write(seal: Seal, found: FoundMaps): Promise<void>
  close(): Promise<void>
}

/** Seals of an older version ended in the segment where they began. */
type WrittenSeal = Omit<Seal, 'endSegment'> & { endSegment?: number }
type Lookup = { seal: WrittenSeal; found: [string, MapRef][] }

/** The batch that is being written and the one that is being processed. */
const inFlight = 2

export async function openLookupLog(folder: string, committedBatch: number): Promise<LookupLog> {
  const log = await openLineLog<Lookup>({
    folder,
    name: 'lookups.log',
    format: lookup => JSON.stringify(lookup),
    // Not validated: only lines that Hydrant wrote pass the checksum.
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
