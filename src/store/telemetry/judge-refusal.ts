/** Whose fault a failed insert is, as far as the engine's code tells. */
import type { TelemetryRefusal, TelemetrySilence } from './telemetry.ts'

/** Not a code of the engine's: the value never got there. */
export const unfitCode = 'unfit'

/** Codes that speak of the rows: they will be refused again. */
const rowCodes = new Set([unfitCode, ...'6 25 26 27 33 38 41 53 69 70 72 117 130 131 349 376 441 675 676'.split(' ')])

/**
 * Codes that speak of the moment: no such table or database, a file that cannot be opened or written, a timeout, read-only,
 * quotas, network, memory, disk, too many parts, access. The rows are good and must wait.
 */
const momentCodes = new Set('60 75 76 81 159 164 201 202 209 210 241 242 243 252 319 394 497 516'.split(' '))

/** Of the statement or of the server; half as many rows may fit. */
export const isOutOfMemory = ({ code }: TelemetryRefusal): boolean => code === '241'

export function judgeRefusal(failure: TelemetryRefusal | TelemetrySilence): 'row' | 'moment' | 'unknown' {
  if (failure.kind === 'silent') return 'unknown'
  if (rowCodes.has(failure.code)) return 'row'
  return momentCodes.has(failure.code) ? 'moment' : 'unknown'
}
