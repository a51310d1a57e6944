/** Bound parameters per statement, far below the limit of either database. */
export const chunkSize = 400

/** Distinct ids in ascending order, in chunks: transactions that lock the same rows lock them in the same order. */
export function* ascendingChunks(ids: Iterable<number>): Generator<number[]> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  for (let start = 0; start < sorted.length; start += chunkSize) yield sorted.slice(start, start + chunkSize)
}
