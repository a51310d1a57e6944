/** Bound parameters per statement, far below what either database allows. */
export const chunkSize = 400

/** The ids ascending and each once, in portions: whoever locks the same rows locks them in the same order. */
export function* ascendingChunks(ids: Iterable<number>): Generator<number[]> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  for (let start = 0; start < sorted.length; start += chunkSize) yield sorted.slice(start, start + chunkSize)
}
