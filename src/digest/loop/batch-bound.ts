const KiB = 1024

/** Larger batches compress and insert better; smaller ones bound memory. Two are in memory at a time. */
export const batchBound = { maxRecords: 6_000, maxBytes: 12 * KiB * KiB }
