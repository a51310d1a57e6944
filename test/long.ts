import { test } from 'vitest'

/**
 * What only `npm run test:long` runs: the same behavior once more (in another place, at another size, in another look), and faults that
 * take minutes to show. `npm test` takes one path through every feature (docs/decisions/0089-two-lengths.md).
 */
export const isLong = process.env.HYDRANT_LONG === '1'
export const longTest = test.runIf(isLong)
