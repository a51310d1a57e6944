/** Bound parameters per statement, far below the limit of either database. */
const chunkSize = 400

/** As many rows or values as one statement takes, or another number of them. */
export function* chunksOf<Item>(items: readonly Item[], size = chunkSize): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** Distinct ids in ascending order, in chunks: transactions that lock the same rows lock them in the same order. */
export const ascendingChunks = (ids: Iterable<number>): Generator<number[]> =>
  chunksOf([...new Set(ids)].sort((a, b) => a - b))
