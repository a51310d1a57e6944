import type { Viewer } from '#domain/access/viewer.ts'
import { countOverTime } from '#domain/explore/count-over-time.ts'
import { type DetectorMemory, judge, step } from './judge.ts'
import type { Watched } from './measure.ts'
import { formatMetric, nameMetric } from './metric-words.ts'

const minuteMs = 60_000
const stepsInPreview = 900

export type MetricMoment = { at: number; title: string; detail: string; severity: 'info' | 'warning' | 'critical' }

const words = { opened: 'Failing', worsened: 'Worse', improved: 'Better', closed: 'Resolved' } as const

/**
 * The incidents that limits would have opened and closed. Only limits that are values: what was usual, or the previous release, differs
 * at every moment. Windows are those of the clock, and longer than the rule's where two weeks would be too many of them.
 */
export async function previewMetric(
  viewer: Viewer,
  { metric, projectIds, environments }: Watched,
  name: string,
  range: { from: number; to: number },
): Promise<MetricMoment[]> {
  if (metric.compare !== 'value') return []
  const stepMs = Math.max(metric.windowMs, Math.ceil((range.to - range.from) / stepsInPreview / minuteMs) * minuteMs)
  const counted = await countOverTime(
    viewer,
    { dataset: metric.dataset, query: metric.query, measures: [metric.measure], groups: [], topGroups: 1, stepMs },
    { projectIds, environments, from: range.from, to: range.to },
  )
  if (!counted.ok) return []
  const { critical, warning, resolved } = metric
  // A count grows with its window; a rate or a duration does not.
  const isCount = metric.measure === 'count()'
  const scale = isCount ? stepMs / metric.windowMs : 1
  const forSteps = Math.max(1, Math.round((metric.forMinutes * minuteMs) / stepMs))
  let memory: DetectorMemory = { severity: '', pending: '', streak: 0 }
  const moments: MetricMoment[] = []
  for (const [index, raw] of (counted.series[0]?.values ?? []).entries()) {
    const value = isCount ? Math.round(raw / scale) : raw
    const verdict = judge(
      metric.direction,
      { value, limits: { critical, warning, resolved }, isBlind: false },
      memory.severity,
    )
    const next = step(memory, verdict, forSteps)
    memory = next.memory
    if (next.transition === null) continue
    moments.push({
      at: Math.min(range.to, (counted.times[index] ?? range.from) + stepMs),
      title: `${words[next.transition]}: ${name}`,
      detail: `${nameMetric(metric)} is ${formatMetric(metric, value)}`,
      severity: memory.severity === '' ? 'info' : memory.severity,
    })
  }
  return moments
}
