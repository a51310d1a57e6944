/** Bound parameters per statement, far below the limit of either database. */
export const chunkSize = 400

/** As many rows or values as one statement takes. */
export function* chunksOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += chunkSize) yield items.slice(start, start + chunkSize)
}

/** Distinct ids in ascending order, in chunks: transactions that lock the same rows lock them in the same order. */
export const ascendingChunks = (ids: Iterable<number>): Generator<number[]> =>
  chunksOf([...new Set(ids)].sort((a, b) => a - b))
