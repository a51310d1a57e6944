import type { SliceBound } from '#inbox/read-log.ts'

const KiB = 1024

/**
 * Larger batches compress and insert better; smaller ones bound memory. Two are in memory at a time. Records are bounded for the sake
 * of those whose bodies lie in files of their own: each is a blob to write, and a batch that takes minutes is lost by each restart.
 * Each restart also leaves a file behind, often with little in it: what many of them left is caught up with in a few batches.
 */
export const batchBound: SliceBound = { maxRecords: 3_000, maxBytes: 12 * KiB * KiB, maxFiles: 64 }
