/**
 * Up to which batch of each inbox a reader has seen the lines. Batches are numbered in the order of their commits, and the lines of one
 * arrive together or not at all, so this is where a stream that was cut continues: nothing is left out or shown twice. Browsers read it
 * too, so it imports nothing.
 */
export type TailPosition = ReadonlyMap<string, number>

/** `<ms>~<inbox>.<batch>~<inbox>.<batch>`. The time tells where in the table to look. */
export const formatPosition = (position: TailPosition, at: number): string =>
  [at, ...[...position].map(([inboxId, batch]) => `${inboxId}.${batch}`)].join('~')

const maxChars = 10_000

/** Null for anything that `formatPosition` would not write. */
export function readPosition(text: string): { position: TailPosition; at: number } | null {
  if (text.length > maxChars || !/^\d{1,15}(?:~[\w-]{1,64}\.\d{1,15})*$/.test(text)) return null
  const [at = '', ...parts] = text.split('~')
  const pairs = parts.map((part): [string, number] => {
    const dot = part.lastIndexOf('.')
    return [part.slice(0, dot), Number(part.slice(dot + 1))]
  })
  return { position: new Map(pairs), at: Number(at) }
}

/** Whether a reader at `text` has all that one at `other` has. */
export function reaches(text: string, other: string): boolean {
  const [own, wanted] = [readPosition(text), readPosition(other)]
  if (!own || !wanted) return true
  return [...wanted.position].every(([inboxId, batch]) => (own.position.get(inboxId) ?? 0) >= batch)
}

/** Where two readers are together: what both have (`earlier`), or what one of them has (`later`). An unknown inbox is at its start. */
export function joinPositions(text: string, other: string, which: 'earlier' | 'later'): string {
  const [one, two] = [readPosition(text), readPosition(other)]
  if (!one || !two) return one ? text : other
  const choose = which === 'earlier' ? Math.min : Math.max
  const joined = [...new Set([...one.position.keys(), ...two.position.keys()])].map((inboxId): [string, number] => [
    inboxId,
    choose(one.position.get(inboxId) ?? 0, two.position.get(inboxId) ?? 0),
  ])
  return formatPosition(new Map(joined), choose(one.at, two.at))
}

/** Positions of several readers of one stream, in the order of their searches. A reader that has none yet is an empty text. */
export const formatPositions = (positions: readonly string[]): string => positions.join(',')
export const splitPositions = (text: string): string[] => text.split(',')
