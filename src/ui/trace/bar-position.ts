import type { TimeScale } from './time-scale.ts'
import type { TimeWindow } from './use-trace-view.ts'

type BarPosition = { left: number; width: number }

/** The position of a time range in the window, in percent; null if it is outside. Times are real, the window is drawn. */
export function barPosition(
  startUs: number,
  durationUs: number,
  { fromUs, toUs }: TimeWindow,
  { draw }: Pick<TimeScale, 'draw'>,
): BarPosition | null {
  const whole = toUs - fromUs
  const [start, end] = [draw(startUs), draw(startUs + durationUs)]
  if (whole <= 0 || start > toUs || end < fromUs) return null
  const left = Math.max(0, (start - fromUs) / whole)
  const right = Math.min(1, (end - fromUs) / whole)
  return { left: left * 100, width: (right - left) * 100 }
}
