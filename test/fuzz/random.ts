/** A small random generator with a seed (mulberry32): the same seed gives the same run everywhere, so a failure can be repeated. */

export type Random = {
  /** From 0 up to but not including `below`. */
  int(below: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
  bytes(length: number): Buffer
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  const int = (below: number) => Math.floor(next() * below)

  return {
    int,
    pick<T>(list: readonly T[]): T {
      const chosen = list[int(list.length)]
      if (chosen === undefined) throw new Error('cannot pick from an empty list')
      return chosen
    },
    chance: probability => next() < probability,
    bytes: length => Buffer.from(Array.from({ length }, () => int(256))),
  }
}
