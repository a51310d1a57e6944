import { nameOffset, zonedIso } from './time-zone.ts'

const units = [
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** How long something took, in one unit: `3 minutes`. Below a second, `a moment`. */
export function timeInWords(ms: number): string {
  const [unit, unitMs] = units.find(([, each]) => ms >= each) ?? [null, 1]
  if (unit === null) return 'a moment'
  const count = Math.floor(ms / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** `2026-03-01 10:00 UTC`, or `2026-03-01 11:00 UTC+1` in a zone. */
export const minuteIn = (zone: string, at: number): string =>
  `${zonedIso(at, zone).slice(0, 16).replace('T', ' ')} ${nameOffset(at, zone)}`

export const minuteInUtc = (at: number): string => minuteIn('UTC', at)
