/** The verdict on a metric for one minute: what its value says, what it can say while a part of the window is missing, and what missing data means. */
import type { DetectorGap } from '#store/control/alert-schema.ts'
import { isCount, judge, type Limits, type Severity, type Verdict } from './judge.ts'
import type { Metric } from './metric.ts'
import { noDataWaitMs } from './no-data-wait.ts'

/** `rows`: how many have what is measured. */
export type Point = { value: number | null; rows: number }
export type MetricReading = {
  /** Null if the query could not be run. */
  point: Point | null
  limits: Limits | null
  /** How much of the window no node accepted data. */
  missingMs: number
}
/** The detector's state after the last judged minute. */
export type MetricMemory = { severity: Severity; gap: DetectorGap | ''; noDataSince: number | null; judgedAt: number }

const hourMs = 3_600_000

/** Whether a window says something although a part of it is missing: a tenth, or half of it if an hour is left. */
export const isMostlyThere = (windowMs: number, missingMs: number): boolean =>
  missingMs <= windowMs / 10 || (missingMs <= windowMs / 2 && windowMs - missingMs >= hourMs)

export function judgeMetric(metric: Metric, reading: MetricReading, before: MetricMemory, at: number): Verdict {
  const { point, limits, missingMs } = reading
  const { windowMs, leastRows, direction } = metric
  if (point === null) return { state: 'unknown', gap: 'failed' }
  const isEnough = isMostlyThere(windowMs, missingMs)
  const { value, rows } = point
  if (value === null || rows < leastRows)
    return isEnough
      ? withoutData(metric, leastRows > 1 ? 'few-rows' : 'empty', before, at)
      : { state: 'unknown', gap: 'down' }
  if (limits === null) return withoutData(metric, 'nothing-to-compare', before, at)
  const verdictOf = (number: number): Verdict => judge(direction, { value: number, limits }, before.severity)
  if (missingMs <= 0) return verdictOf(value)
  if (!isCount(metric)) return isEnough ? verdictOf(value) : { state: 'unknown', gap: 'down' }
  // The count is a lower bound. For the upper bound, assume that the missing part wasn't denser than the rest.
  const most = isEnough ? (value * windowMs) / (windowMs - missingMs) : Number.POSITIVE_INFINITY
  return between(verdictOf(value), verdictOf(most), before.severity)
}

const ranks: readonly Severity[] = ['', 'warning', 'critical']

/** The truth lies between two verdicts. Where the severity before does too, nothing is known to have changed. */
function between(one: Verdict, other: Verdict, before: Severity): Verdict {
  if (!('severity' in one) || !('severity' in other)) return one
  if (one.severity === other.severity) return one
  const [mild, worst] = ranks.indexOf(one.severity) < ranks.indexOf(other.severity) ? [one, other] : [other, one]
  if (ranks.indexOf(before) < ranks.indexOf(mild.severity)) return mild
  if (ranks.indexOf(before) > ranks.indexOf(worst.severity)) return worst
  return { state: 'unknown', gap: 'down' }
}

function withoutData(metric: Metric, gap: DetectorGap, before: MetricMemory, at: number): Verdict {
  // An empty window says that there was nothing since it began; windows that join say it of a longer time.
  const firstKnown = gap === 'nothing-to-compare' ? at : at - metric.windowMs
  const joins = before.gap === gap && before.noDataSince !== null && before.judgedAt >= at - metric.windowMs
  const since = joins ? (before.noDataSince ?? firstKnown) : firstKnown
  const isOver = at - since >= noDataWaitMs(metric)
  const becomes = { resolve: '', alert: 'critical', keep: null } as const
  // Without something to compare with, nothing is wrong with the data.
  const choice = gap === 'nothing-to-compare' && metric.noData === 'alert' ? 'resolve' : metric.noData
  return { state: 'no-data', gap, since, becomes: isOver ? becomes[choice] : null }
}
