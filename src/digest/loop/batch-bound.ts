const KiB = 1024

/**
 * Larger batches compress and insert better; smaller ones bound memory. Two are in memory at a time. Records are bounded for the sake
 * of those whose bodies lie in files of their own: each is a blob to write, and a batch that takes minutes is lost by each restart.
 */
export const batchBound = { maxRecords: 3_000, maxBytes: 12 * KiB * KiB }
