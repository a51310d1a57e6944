/** From a reading to a verdict, and from verdicts to the state of a detector: pure. */
import type { DetectorGap, DetectorState, IncidentSeverity } from '#store/control/alert-schema.ts'
import type { Metric } from './metric.ts'

export type Severity = IncidentSeverity | ''
export type Limits = { critical: number; warning: number | null; resolved: number | null }
/** What was measured. `limits` is null while there is nothing to compare with. */
export type Reading = { value: number | null; limits: Limits | null }
/** `becomes`: the severity that missing data leads to by now; null while nothing changes. */
export type Verdict =
  | { state: 'ok' | 'failing'; severity: Severity }
  | { state: 'unknown'; gap: DetectorGap }
  | { state: 'no-data'; gap: DetectorGap; since: number; becomes: Severity | null }

/** Unknown without a value or something to compare it with. */
export function judge(direction: Metric['direction'], { value, limits }: Reading, before: Severity): Verdict {
  if (value === null) return { state: 'unknown', gap: 'empty' }
  if (limits === null) return { state: 'unknown', gap: 'nothing-to-compare' }
  const isBeyond = (limit: number | null): boolean =>
    limit !== null && (direction === 'above' ? value > limit : value < limit)
  if (isBeyond(limits.critical)) return { state: 'failing', severity: 'critical' }
  if (isBeyond(limits.warning)) return { state: 'failing', severity: 'warning' }
  // Between the limits of failing and of being resolved nothing changes, so that a value that swings around a limit is told once.
  if (before !== '' && isBeyond(limits.resolved))
    return { state: 'failing', severity: limits.warning === null ? before : 'warning' }
  return { state: 'ok', severity: '' }
}

/** `cause`: whether the open incident is about missing data. */
export type DetectorMemory = { severity: Severity; pending: string; streak: number; cause: '' | 'no-data' }
export type Transition = 'opened' | 'worsened' | 'improved' | 'closed'
export type Step = { memory: DetectorMemory; transition: Transition | null }

/** A change counts once it has lasted for `forMinutes` minutes in a row. A minute that was not judged neither counts nor begins again. */
export function step(before: DetectorMemory, verdict: Verdict, forMinutes: number): Step {
  if (verdict.state === 'unknown') return { memory: before, transition: null }
  if (verdict.state === 'no-data') return stepWithoutData(before, verdict.becomes)
  const found = verdict.severity
  if (found === before.severity && before.cause === '')
    return { memory: { ...before, pending: '', streak: 0 }, transition: null }
  const name = found === '' ? 'ok' : found
  const streak = before.pending === name ? before.streak + 1 : 1
  if (streak < forMinutes) return { memory: { ...before, pending: name, streak }, transition: null }
  return {
    memory: { severity: found, pending: '', streak: 0, cause: '' },
    transition: transitionOf(before.severity, found),
  }
}

/** Missing data has its own wait instead of `forMinutes`. `becomes` is null until the wait is over. */
function stepWithoutData(before: DetectorMemory, becomes: Severity | null): Step {
  const cause = becomes === '' ? '' : 'no-data'
  if (becomes === null || (becomes === before.severity && cause === before.cause))
    return { memory: before, transition: null }
  return {
    memory: { severity: becomes, pending: '', streak: 0, cause },
    transition: transitionOf(before.severity, becomes),
  }
}

/** The displayed state. An incident stays open without data, but isn't shown as failing: the value may be back within its limits. */
export function stateOf(verdict: Verdict, { severity }: DetectorMemory): DetectorState {
  if (verdict.state === 'unknown' || verdict.state === 'no-data') return verdict.state
  return severity === '' ? 'ok' : 'failing'
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

/** Counts and rates per time: of no rows they are 0. Everything else is unknown then. */
export const isCount = ({ measure }: Pick<Metric, 'measure'>): boolean =>
  /^(?:count|count_unique|count_if|failure_count|[est]p[ms])\(/.test(measure)
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
