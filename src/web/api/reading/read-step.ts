import type { Range } from '#queries/explore/read-range.ts'
import { readDuration } from '#search/read-moment.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const wantedSteps = 100

/** `interval=5m`; without one, a round step that gives about a hundred of them. */
export function readStep(interval: string | null, { from, to }: Range): number {
  const asked = readDuration(interval ?? '')
  if (asked && asked >= 1_000) return asked
  const idealMs = (to - from) / wantedSteps
  const steps = [minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs, 24 * hourMs]
  return steps.find(step => step >= idealMs) ?? 24 * hourMs
}
