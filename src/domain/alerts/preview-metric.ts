/** The incidents that a metric would have opened and closed in a time that has passed. */
import type { Viewer } from '#domain/access/viewer.ts'
import { countOverTime } from '#domain/explore/count-over-time.ts'
import { describeFinding } from './evaluate-metrics.ts'
import { type DetectorMemory, judge, type Limits, step, type Transition, usualOf } from './judge.ts'
import { compareLimits, listVersions, measureRelease, queryOfRelease, type Watched, weeksCompared } from './measure.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const weekMs = 7 * dayMs
/** All of them divide a week, so that a window of the week before is at the same time of day. */
const stepLengths = [1, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1_440].map(minutes => minutes * minuteMs)
/** More windows than this would be too much work for a preview: two weeks in steps of five minutes. */
const mostSteps = 4_100
const stepsAtOnce = 900
/** Older ones are left out. */
const mostReleases = 10

type Range = { from: number; to: number }
type Line = { at: number; value: number | null }[]
type Reading = { at: number; value: number | null; limits: Limits | null }
export type MetricMoment = {
  at: number
  transition: Transition
  reason: string
  severity: 'info' | 'warning' | 'critical'
  openedAt: number
}

/** Windows are those of the clock, and longer than the rule's where two weeks would be too many of them. */
export async function previewMetric(viewer: Viewer, watched: Watched, range: Range): Promise<MetricMoment[]> {
  const { metric } = watched
  const enough = (length: number): boolean => length >= metric.windowMs && (range.to - range.from) / length <= mostSteps
  const stepMs = stepLengths.find(enough) ?? dayMs
  const readings = await readingsOf[metric.compare](viewer, watched, range, stepMs)
  const forSteps = Math.max(1, Math.round((metric.forMinutes * minuteMs) / stepMs))
  let memory: DetectorMemory = { severity: '', pending: '', streak: 0 }
  let openedAt = range.from
  const moments: MetricMoment[] = []
  for (const { at, value, limits } of readings) {
    const next = step(memory, judge(metric.direction, { value, limits, isBlind: false }, memory.severity), forSteps)
    memory = next.memory
    if (next.transition === null) continue
    if (next.transition === 'opened') openedAt = at
    const severity = memory.severity === '' ? 'info' : memory.severity
    const reason = describeFinding(metric, next.transition, value, limits)
    moments.push({ at, transition: next.transition, reason, severity, openedAt })
  }
  return moments
}

type ReadReadings = (viewer: Viewer, watched: Watched, range: Range, stepMs: number) => Promise<Reading[]>

const readingsOf: Record<Watched['metric']['compare'], ReadReadings> = {
  value: async (viewer, watched, range, stepMs) => {
    const { metric } = watched
    const { critical, warning, resolved } = metric
    // A count grows with its window; a rate or a duration does not.
    const scale = metric.measure === 'count()' ? stepMs / metric.windowMs : 1
    const line = await readLine(viewer, watched, range, stepMs)
    return line.map(({ at, value }) => ({
      at,
      value: value === null || scale === 1 ? value : Math.round(value / scale),
      limits: { critical, warning, resolved },
    }))
  },
  usual: async (viewer, watched, range, stepMs) => {
    const before = weeksCompared * weekMs + stepMs
    const line = await readLine(viewer, watched, { from: range.from - before, to: range.to }, stepMs)
    const perWeek = weekMs / stepMs
    return line.flatMap(({ at, value }, index) =>
      at <= range.from ? [] : [{ at, value, limits: limitsByUsual(watched, line, index, perWeek) }],
    )
  },
  'previous-release': async (viewer, watched, range, stepMs) => {
    const releases = (await listVersions(viewer, watched, mostReleases + 1)).toReversed()
    const readings: Reading[] = []
    for (const [index, release] of releases.entries()) {
      const previous = releases[index - 1]
      const until = releases[index + 1]?.seen ?? range.to
      const own = { from: Math.max(range.from, release.seen), to: Math.min(range.to, until) }
      if (previous === undefined || own.from >= own.to) continue
      const before = await measureRelease(viewer, watched, { release: previous, next: release, to: own.from })
      const limits = before === null ? null : compareLimits(watched.metric, before)
      const line = await readLine(viewer, watched, own, stepMs, queryOfRelease(watched.metric, release.version))
      readings.push(...line.map(each => ({ ...each, limits })))
    }
    return readings
  },
}

/** As it is judged live: the same window of four weeks, with its neighbors. */
function limitsByUsual({ metric }: Watched, line: Line, index: number, perWeek: number): Limits | null {
  const values: number[] = []
  for (let week = 1; week <= weeksCompared; week++) {
    const middle = index - week * perWeek
    const around = line.slice(Math.max(0, middle - 1), Math.max(0, middle + 2)).map(({ value }) => value ?? 0)
    if (around.some(value => value > 0)) values.push(...around)
  }
  const usual = usualOf(values)
  return usual && compareLimits(metric, usual)
}

/** The number in each window, oldest first; null where there is nothing to measure. `at` is the end of the window. */
async function readLine(
  viewer: Viewer,
  { metric, projectIds, environments }: Watched,
  range: Range,
  stepMs: number,
  query = metric.query,
): Promise<Line> {
  const { dataset, measure: wanted, leastRows } = metric
  const isCount = wanted.startsWith('count')
  const line: Line = []
  const first = Math.floor(range.from / stepMs) * stepMs
  for (let from = first; from < range.to; from += stepsAtOnce * stepMs) {
    const to = Math.min(range.to, from + stepsAtOnce * stepMs)
    const counted = await countOverTime(
      viewer,
      { dataset, query, measures: [...new Set([wanted, 'count()'])], groups: [], topGroups: 1, stepMs },
      { projectIds, environments, from, to },
    )
    if (!counted.ok) return []
    const valuesOf = (name: string) => counted.series.find(({ measure: each }) => each === name)?.values ?? []
    const [values, rows] = [valuesOf(wanted), valuesOf('count()')]
    for (const [index, start] of counted.times.entries()) {
      const isKnown = (rows[index] ?? 0) >= leastRows && (isCount || (rows[index] ?? 0) > 0)
      line.push({ at: Math.min(range.to, start + stepMs), value: isKnown ? (values[index] ?? 0) : null })
    }
  }
  return line
}
