/**
 * Which records form batch N is written down before N is worked on, so that a repeat after a crash is the same batch to the byte:
 * same rows, same tokens. One line a seal: batch, segment, start, end. A torn last line was never worked on.
 */
import { openLineLog } from './line-log.ts'

export type Seal = { batch: number; segment: number; start: number; end: number }
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
    format: ({ batch, segment, start, end }) => `${batch} ${segment} ${start} ${end}`,
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

function parseSeal(text: string): Seal[] {
  const match = /^(\d+) (\d+) (\d+) (\d+)$/.exec(text)
  if (!match) return []
  return [{ batch: Number(match[1]), segment: Number(match[2]), start: Number(match[3]), end: Number(match[4]) }]
}
