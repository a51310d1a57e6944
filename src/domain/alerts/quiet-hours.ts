import type { QuietHours } from './rule.ts'

const dayMinutes = 24 * 60
const minuteMs = 60_000

/** When the quiet hours end that a moment is in; null if it is in none. Hours from 22:00 to 07:00 go over midnight. */
export function quietUntil({ from, to, zone }: QuietHours, nowMs: number): number | null {
  const start = minutesOf(from)
  const length = (minutesOf(to) - start + dayMinutes) % dayMinutes
  const since = (localMinutes(nowMs, zone) - start + dayMinutes) % dayMinutes
  if (since >= length) return null
  const end = Math.floor(nowMs / minuteMs) * minuteMs + (length - since) * minuteMs
  // The clock may be changed meanwhile: then the local time at the end differs, by an hour at most.
  const off = ((localMinutes(end, zone) - minutesOf(to) + dayMinutes * 1.5) % dayMinutes) - dayMinutes / 2
  return end - off * minuteMs
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

function localMinutes(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .formatToParts(at)
    .map(({ type, value }) => [type, value])
  const { hour = '0', minute = '0' } = Object.fromEntries(parts) as { hour?: string; minute?: string }
  return Number(hour) * 60 + Number(minute)
}
