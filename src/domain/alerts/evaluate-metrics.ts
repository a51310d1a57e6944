/** The readings of all metrics of an organization's rules, for one minute. */
import type { Viewer } from '#domain/access/viewer.ts'
import type { DetectorGap } from '#store/control/alert-schema.ts'
import type { Finding } from './incidents.ts'
import type { DetectorMemory, Limits, Transition, Verdict } from './judge.ts'
import { judgeMetric, type MetricMemory } from './judge-metric.ts'
import { findLimits, measureAt, type Watched } from './measure.ts'
import type { Metric } from './metric.ts'
import { formatMetric, formatMinutes, nameMetric } from './metric-words.ts'
import { missingIn, type Pause } from './pauses.ts'
import { measuredProjects, type Rule } from './rule.ts'

type Detector = MetricMemory & Pick<DetectorMemory, 'cause'> & { id: number }
/** `firstReport`: before it, nothing was accepted. */
type Moment = { until: number; pauses: readonly Pause[]; firstReport: number }

export async function findMetrics(
  viewer: Viewer,
  rules: readonly Rule[],
  detectors: ReadonlyMap<number, Detector>,
  moment: Moment,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const rule of rules) {
    const { metric, environments } = rule.config
    const detector = detectors.get(rule.id)
    if (metric === null || detector === undefined) continue
    const projectIds = measuredProjects(rule, viewer.projects)
    // Of a deleted project there is no data, and that says nothing.
    if (projectIds.length === 0) continue
    findings.push(await findMetric(viewer, { metric, projectIds, environments }, detector, moment))
  }
  return findings
}

async function findMetric(
  viewer: Viewer,
  watched: Watched,
  detector: Detector,
  { until, pauses, firstReport }: Moment,
): Promise<Finding> {
  const { metric } = watched
  const from = until - metric.windowMs
  const begun = Math.min(until, Math.max(from, firstReport))
  const missingMs = begun - from + missingIn(pauses, begun, until)
  const point = await measureAt(viewer, watched, until)
  const limits = point === null ? null : await findLimits(viewer, watched, until, pauses)
  const verdict = judgeMetric(metric, { point, limits, missingMs }, detector, until)
  const value = point?.value ?? null
  return {
    detectorId: detector.id,
    verdict,
    value,
    limits,
    forMinutes: metric.forMinutes,
    isHigherWorse: metric.direction === 'above',
    reason: transition =>
      describeFinding(metric, transition, { value, limits, verdict, cause: detector.cause, at: until }),
    metric: JSON.stringify(metric),
  }
}

type Found = {
  value: number | null
  limits: Limits | null
  verdict: Verdict
  /** Of the incident that was open before. */
  cause: DetectorMemory['cause']
  at: number
}

/** Why a message about an incident is sent. */
export function describeFinding(metric: Metric, transition: Transition, found: Found): string {
  const { value, limits, verdict, cause, at } = found
  const name = nameMetric(metric)
  if (verdict.state === 'no-data')
    return `${name} has had ${describeGap(metric, verdict.gap)} for ${formatMinutes(at - verdict.since)}`
  const now = value === null ? 'unknown' : formatMetric(metric, value)
  if (transition === 'closed')
    return cause === 'no-data' ? `${name} has data again: ${now}` : `${name} is back to ${now}`
  const limit =
    limits && (transition === 'improved' && limits.warning !== null ? limits.warning : limitOf(limits, metric, value))
  const compared = {
    value: '',
    usual: ', which is usual at this hour',
    'previous-release': ', by the previous release',
  }
  const told = limit === null ? '' : `, ${metric.direction} ${formatMetric(metric, limit)}${compared[metric.compare]}`
  return `${name} is ${now}${told}`
}

/** The reason why a metric can't be judged: `no data`. */
export function describeGap(metric: Metric, gap: DetectorGap): string {
  if (gap === 'few-rows') return `fewer than ${metric.leastRows} rows`
  return gap === 'nothing-to-compare' ? 'nothing to compare with' : 'no data'
}

/** The limit that the value is beyond. */
function limitOf({ critical, warning }: Limits, { direction }: Metric, value: number | null): number {
  if (value === null || warning === null) return critical
  return (direction === 'above' ? value > critical : value < critical) ? critical : warning
}
