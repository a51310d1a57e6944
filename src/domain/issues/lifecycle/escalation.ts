/**
 * When an issue escalates: an hour has more than twice the events of its usual peak. The usual peak is the median of the busiest
 * hours of the last seven days, so a job that fails a thousand times every night is usual, and a single bad day is not.
 */

/** Hours are counted from 1970. */
export type HourCount = { hour: number; events: number }

export const hoursOfHistory = 7 * 24
/** One day more than is read, in case the clock is set back. */
export const hoursKept = hoursOfHistory + 24
/** Fewer events in an hour never escalate: twice almost nothing is still almost nothing. */
export const minEvents = 10
const escalationFactor = 2
const hoursPerDay = 24

/** `firstHour` is the first hour with data: days before it are unknown, not quiet. */
export function usualPeak(counts: readonly HourCount[], firstHour: number, currentHour: number): number {
  const days = Math.min(7, Math.max(1, Math.ceil((currentHour - firstHour) / hoursPerDay)))
  const peaks = new Array<number>(days).fill(0)
  for (const { hour, events } of counts) {
    const day = Math.floor((currentHour - 1 - hour) / hoursPerDay)
    if (hour < currentHour && day < days) peaks[day] = Math.max(peaks[day] ?? 0, events)
  }
  peaks.sort((a, b) => a - b)
  return peaks[peaks.length >> 1] ?? 0
}

export const isEscalating = (eventsThisHour: number, usual: number): boolean =>
  eventsThisHour >= minEvents && eventsThisHour > usual * escalationFactor

/** In its first day an issue is new and has no usual rate yet. */
export const hasHistory = (firstHour: number, currentHour: number): boolean => currentHour - firstHour >= hoursPerDay
