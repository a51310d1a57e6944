import type { TimeWindow } from './use-trace-view.ts'

type BarPosition = { left: number; width: number }

/** The position of a time range in the window, in percent; null if it is outside. */
export function barPosition(startUs: number, durationUs: number, { fromUs, toUs }: TimeWindow): BarPosition | null {
  const whole = toUs - fromUs
  if (whole <= 0 || startUs > toUs || startUs + durationUs < fromUs) return null
  const left = Math.max(0, (startUs - fromUs) / whole)
  const right = Math.min(1, (startUs + durationUs - fromUs) / whole)
  return { left: left * 100, width: (right - left) * 100 }
}
