/**
 * Whether an issue is worse than it usually is. Its own days are the measure: the busiest hour of each of the last seven, and of
 * these the middle one. A nightly job that fails a thousand times each night is usual, and so is a single bad day not.
 */
export type HourCount = { hour: number; events: number }

export const hoursOfHistory = 7 * 24
/** A day more than is read, so that a clock that is set back finds its hours. */
export const hoursKept = hoursOfHistory + 24
/** Events in an hour. Below, twice nearly nothing is still nearly nothing. */
export const leastEvents = 10
const timesUsual = 2
const hoursPerDay = 24

/** `firstHour`: since when there is anything to compare with. Hours are counted from 1970. */
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
  eventsThisHour >= leastEvents && eventsThisHour > usual * timesUsual

/** An issue of a few hours is new, whatever it does: it has no usual yet. */
export const hasHistory = (firstHour: number, currentHour: number): boolean => currentHour - firstHour >= hoursPerDay
