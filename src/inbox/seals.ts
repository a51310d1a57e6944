/**
 * Which records form batch N is written down before N is worked on, so that a repeat after a crash is the same batch to the byte:
 * same rows, same tokens. One line a seal: batch, segment, start, end, and the segment of the end where that is a later one. A torn
 * last line was never worked on.
 */
import { openLineLog } from './line-log.ts'
import type { LogPlace } from './read-log.ts'

/** From `start` in one file to `end` in the same or a later one. */
export type Seal = { batch: number; segment: number; start: number; endSegment: number; end: number }
export type Seals = {
  /** Seals that were written and whose batch is not committed, oldest first. */
  pending(committedBatch: number): Seal[]
  /** A seal for a batch that has one already replaces it and all later ones: allowed only while nothing of them was written. */
  write(seal: Seal, committedBatch: number): Promise<void>
  close(): Promise<void>
}

export async function openSeals(folder: string, committedBatch: number): Promise<Seals> {
  const log = await openLineLog<Seal>({
    folder,
    name: 'seals.log',
    format: formatSeal,
    parse: parseSeal,
    live: seals => after(seals.reduce(replaceFrom, []), committedBatch),
  })
  let live = log.items
  return {
    pending: committed => after(live, committed),
    write: (seal, committed) => {
      live = replaceFrom(after(live, committed), seal)
      return log.write(live)
    },
    close: log.close,
  }
}

const after = (seals: Seal[], batch: number): Seal[] => seals.filter(seal => seal.batch > batch)
const replaceFrom = (seals: Seal[], seal: Seal): Seal[] => [...seals.filter(one => one.batch < seal.batch), seal]

export const endOfSeal = ({ endSegment, end }: Seal): LogPlace => ({ segment: endSegment, position: end })

function formatSeal({ batch, segment, start, endSegment, end }: Seal): string {
  const withinOne = `${batch} ${segment} ${start} ${end}`
  return endSegment === segment ? withinOne : `${withinOne} ${endSegment}`
}

function parseSeal(text: string): Seal[] {
  if (!/^\d+ \d+ \d+ \d+( \d+)?$/.test(text)) return []
  const [batch = 0, segment = 0, start = 0, end = 0, endSegment = segment] = text.split(' ').map(Number)
  return [{ batch, segment, start, endSegment, end }]
}
