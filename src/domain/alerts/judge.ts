/** From a reading to a verdict, and from verdicts to the state of a detector: pure. */
import type { IncidentSeverity } from '#store/control/alert-schema.ts'
import type { Metric } from './metric.ts'

export type Severity = IncidentSeverity | ''
export type Limits = { critical: number; warning: number | null; resolved: number | null }
/** What was measured. `limits` is null while there is nothing to compare with. */
export type Reading = { value: number | null; limits: Limits | null; isBlind: boolean }
export type Verdict = { state: 'ok' | 'failing'; severity: Severity } | { state: 'unknown' }

/** Unknown while Hydrant was down during the window, and while there is nothing to judge by. */
export function judge(direction: Metric['direction'], reading: Reading, before: Severity): Verdict {
  const { value, limits, isBlind } = reading
  if (isBlind || value === null || limits === null) return { state: 'unknown' }
  const isBeyond = (limit: number | null): boolean =>
    limit !== null && (direction === 'above' ? value > limit : value < limit)
  if (isBeyond(limits.critical)) return { state: 'failing', severity: 'critical' }
  if (isBeyond(limits.warning)) return { state: 'failing', severity: 'warning' }
  // Between the limits of failing and of being resolved nothing changes, so that a value that swings around a limit is told once.
  if (before !== '' && isBeyond(limits.resolved))
    return { state: 'failing', severity: limits.warning === null ? before : 'warning' }
  return { state: 'ok', severity: '' }
}

export type DetectorMemory = { severity: Severity; pending: string; streak: number }
export type Transition = 'opened' | 'worsened' | 'improved' | 'closed'
export type Step = { memory: DetectorMemory; transition: Transition | null }

/** A change counts once it has lasted for `forMinutes` minutes in a row. An unknown minute neither counts nor begins again. */
export function step(before: DetectorMemory, verdict: Verdict, forMinutes: number): Step {
  if (verdict.state === 'unknown') return { memory: before, transition: null }
  const found = verdict.severity
  if (found === before.severity) return { memory: { ...before, pending: '', streak: 0 }, transition: null }
  const name = found === '' ? 'ok' : found
  const streak = before.pending === name ? before.streak + 1 : 1
  if (streak < forMinutes) return { memory: { ...before, pending: name, streak }, transition: null }
  return { memory: { severity: found, pending: '', streak: 0 }, transition: transitionOf(before.severity, found) }
}

function transitionOf(before: Severity, after: Severity): Transition {
  if (before === '') return 'opened'
  if (after === '') return 'closed'
  return after === 'critical' ? 'worsened' : 'improved'
}

/** Expected value and spread of what is usual: the median, and the median distance from it, as a standard deviation. */
export function usualOf(
  measure: Metric['measure'],
  values: readonly number[],
): { expected: number; spread: number } | null {
  if (values.length < 2) return null
  const expected = median(values)
  const mad = median(values.map(value => Math.abs(value - expected)))
  return { expected, spread: Math.max(1.4826 * mad, leastSpread(measure, Math.max(expected, 0)), Number.EPSILON) }
}

export const isCount = ({ measure }: Pick<Metric, 'measure'>): boolean => measure.startsWith('count')
const isShare = (measure: string): boolean => /rate\(/.test(measure)

/** Weeks that happen to agree do not make the next one a surprise: the noise of counting, a percentage point, a twentieth. */
function leastSpread(measure: string, expected: number): number {
  if (isCount({ measure })) return Math.sqrt(expected)
  return isShare(measure) ? 0.01 : expected / 20
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
