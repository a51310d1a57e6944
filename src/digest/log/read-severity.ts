import { numberOf } from '#lib/json-value.ts'

/** OpenTelemetry's numbers: four for each level, the first of each being the plain one. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const aliases = new Map([
  ['warning', 'warn'],
  ['log', 'info'],
  ['critical', 'fatal'],
])

/** Level and number of a log line, each from the other where one is missing. */
export function readSeverity(level: unknown, number: unknown): { level: string; severity: number } {
  const given = numberOf(number)
  const severity = given === undefined || given < 1 || given > 24 ? 0 : Math.round(given)
  const word = typeof level === 'string' ? level.toLowerCase() : ''
  const name = aliases.get(word) ?? word
  const index = levels.indexOf(name as (typeof levels)[number])
  if (index >= 0) return { level: name, severity: severity || index * 4 + 1 }
  if (severity > 0) return { level: levels[Math.floor((severity - 1) / 4)] ?? 'info', severity }
  return { level: 'info', severity: 9 }
}
