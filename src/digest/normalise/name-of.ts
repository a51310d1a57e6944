import { clipText } from '#lib/clip-text.ts'
import { textOf } from '#lib/json-value.ts'
import { limits } from '../limits.ts'

/** Text for a LowCardinality column: short, and valid wherever it came from. */
export const nameOf = (value: unknown): string => clipText(textOf(value), limits.nameChars).toWellFormed()
