/** The readings of all metrics of an organization's rules, for one minute. */
import type { Viewer } from '#domain/access/viewer.ts'
import type { Finding } from './incidents.ts'
import { judge, type Limits, type Severity, type Transition } from './judge.ts'
import { findLimits, measureAt, type Watched } from './measure.ts'
import type { Metric } from './metric.ts'
import { formatMetric, nameMetric } from './metric-words.ts'
import { measuredProjects, type Rule } from './rule.ts'

type Detectors = ReadonlyMap<number, { id: number; severity: Severity }>

export async function findMetrics(
  viewer: Viewer,
  rules: readonly Rule[],
  detectors: Detectors,
  until: number,
  blindUntil: number,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const rule of rules) {
    const { metric, environments } = rule.config
    const detector = detectors.get(rule.id)
    if (metric === null || detector === undefined) continue
    const projectIds = measuredProjects(rule, viewer.projects)
    findings.push(await findMetric(viewer, { metric, projectIds, environments }, detector, until, blindUntil))
  }
  return findings
}

async function findMetric(
  viewer: Viewer,
  watched: Watched,
  detector: { id: number; severity: Severity },
  until: number,
  blindUntil: number,
): Promise<Finding> {
  const { metric } = watched
  const isBlind = blindUntil > until - metric.windowMs
  const value = isBlind ? null : await measureAt(viewer, watched, until)
  const limits = value === null ? null : await findLimits(viewer, watched, until)
  return {
    detectorId: detector.id,
    verdict: judge(metric.direction, { value, limits, isBlind }, detector.severity),
    value,
    forMinutes: metric.forMinutes,
    isHigherWorse: metric.direction === 'above',
    reason: transition => describeFinding(metric, transition, value, limits),
    metric: JSON.stringify(metric),
  }
}

/** Why a message about an incident is sent. */
export function describeFinding(
  metric: Metric,
  transition: Transition,
  value: number | null,
  limits: Limits | null,
): string {
  const name = nameMetric(metric)
  const now = value === null ? 'unknown' : formatMetric(metric, value)
  if (transition === 'closed') return `${name} is back to ${now}`
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

/** The limit that the value is beyond. */
function limitOf({ critical, warning }: Limits, { direction }: Metric, value: number | null): number {
  if (value === null || warning === null) return critical
  return (direction === 'above' ? value > critical : value < critical) ? critical : warning
}
