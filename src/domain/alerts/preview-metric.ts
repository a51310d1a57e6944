/** The incidents that a metric would have opened and closed in a time that has passed: each minute judged as the job judges it. */
import type { Viewer } from '#domain/access/viewer.ts'
import { describeFinding } from './evaluate-metrics.ts'
import { type DetectorMemory, type Limits, step, type Transition, type Verdict } from './judge.ts'
import { isMostlyThere, judgeMetric, type MetricMemory, type Point } from './judge-metric.ts'
import {
  comparedMs,
  type Line,
  listVersions,
  ownLimits,
  queryOfRelease,
  readLine,
  releaseLimits,
  usualLimits,
  type Watched,
  weekMs,
  weeksCompared,
} from './measure.ts'
import { listPauses, missingIn, type Pause } from './pauses.ts'

const minuteMs = 60_000
/** A row is read once for each window that it is in. This many take seconds. */
const mostReads = 60_000_000
const chunkMs = weekMs
/** Older ones are left out. */
const mostReleases = 40

type Reading = { at: number; point: Point | null; limits: Limits | null }
/** Ends of windows. */
type Ends = { first: number; last: number; stepMs: number }
export type MetricMoment = {
  at: number
  transition: Transition
  reason: string
  severity: 'info' | 'warning' | 'critical'
  openedAt: number
}
type MetricPreview = {
  moments: MetricMoment[]
  /** A minute, or longer where each minute would be too much to read. */
  stepMs: number
  /** How long it could not be judged in full, because Hydrant did not accept data. */
  blindMs: number
}

export async function previewMetric(
  viewer: Viewer,
  watched: Watched,
  range: { from: number; to: number },
): Promise<MetricPreview> {
  const { metric } = watched
  const stepMs = await findStep(viewer, watched, range)
  const last = Math.floor(range.to / minuteMs) * minuteMs
  const first = last - Math.floor((last - range.from) / stepMs) * stepMs
  const pauses = await listPauses(viewer, first - comparedMs)
  const readings = await readingsOf[metric.compare](viewer, watched, { first, last, stepMs }, pauses)
  const forSteps = Math.ceil((metric.forMinutes * minuteMs) / stepMs)
  let memory: DetectorMemory & MetricMemory = beforeAll
  let openedAt = first
  let blindMs = 0
  const moments: MetricMoment[] = []
  for (const { at, point, limits } of readings) {
    const missingMs = missingIn(pauses, at - metric.windowMs, at)
    if (!isMostlyThere(metric.windowMs, missingMs)) blindMs += stepMs
    const verdict = judgeMetric(metric, { point, limits, missingMs }, memory, at)
    const { cause } = memory
    const next = step(memory, verdict, forSteps)
    memory = { ...next.memory, ...memoryOf(verdict, at) }
    if (next.transition === null) continue
    if (next.transition === 'opened') openedAt = at
    const severity = memory.severity === '' ? 'info' : memory.severity
    const found = { value: point?.value ?? null, limits, verdict, cause, at }
    const reason = describeFinding(metric, next.transition, found)
    moments.push({ at, transition: next.transition, reason, severity, openedAt })
  }
  return { moments, stepMs, blindMs }
}

const beforeAll = {
  severity: '',
  pending: '',
  streak: 0,
  cause: '',
  gap: '',
  noDataSince: null,
  judgedAt: 0,
} as const satisfies DetectorMemory & MetricMemory

/** As the detector keeps it. */
const memoryOf = (verdict: Verdict, at: number): Omit<MetricMemory, 'severity'> => ({
  gap: 'gap' in verdict ? verdict.gap : '',
  noDataSince: verdict.state === 'no-data' ? verdict.since : null,
  judgedAt: at,
})

type ReadReadings = (viewer: Viewer, watched: Watched, ends: Ends, pauses: readonly Pause[]) => Promise<Reading[]>

const readingsOf: Record<Watched['metric']['compare'], ReadReadings> = {
  value: async (viewer, watched, ends) => {
    const line = await readLong(viewer, watched, ends)
    return endsOf(ends).map(at => ({ at, point: line(at), limits: ownLimits(watched.metric) }))
  },
  usual: async (viewer, watched, ends, pauses) => {
    const before = weeksCompared * weekMs + watched.metric.windowMs
    const line = await readLong(viewer, watched, { ...ends, first: ends.first - before })
    return endsOf(ends).map(at => ({ at, point: line(at), limits: usualLimits(watched.metric, line, at, pauses) }))
  },
  'previous-release': async (viewer, watched, ends, pauses) => {
    const releases = (await listVersions(viewer, watched, { until: ends.last, limit: mostReleases + 1 })).toReversed()
    const readings: Reading[] = []
    for (const [index, release] of releases.entries()) {
      const previous = releases[index - 1]
      const until = releases[index + 1]?.seen ?? ends.last
      const own = endsOf(ends).filter(at => at > release.seen && at <= until)
      const [first, last] = [own[0], own.at(-1)]
      if (previous === undefined || first === undefined || last === undefined) continue
      const limits = await releaseLimits(viewer, watched, { release: previous, next: release, pauses })
      const query = queryOfRelease(watched.metric, release.version)
      const line = await readLong(viewer, watched, { ...ends, first, last }, query)
      readings.push(...own.map(at => ({ at, point: line(at), limits })))
    }
    return readings
  },
}

const endsOf = ({ first, last, stepMs }: Ends): number[] =>
  Array.from({ length: Math.floor((last - first) / stepMs) + 1 }, (_, index) => first + index * stepMs)

/** As `readLine`, a week at a time. */
async function readLong(viewer: Viewer, watched: Watched, ends: Ends, query?: string): Promise<Line> {
  const { first, last, stepMs } = ends
  const chunkSteps = Math.ceil(chunkMs / stepMs)
  const lines: Line[] = []
  for (let start = first; start <= last; start += chunkSteps * stepMs) {
    const end = Math.min(last, start + (chunkSteps - 1) * stepMs)
    lines.push(await readLine(viewer, watched, { first: start, last: end, stepMs }, query))
  }
  return end => lines[Math.floor((end - first) / (chunkSteps * stepMs))]?.(end) ?? null
}

/** Each minute where that is not too much to read. Steps divide a window and a week, so that their neighbors are steps too. */
async function findStep(viewer: Viewer, watched: Watched, range: { from: number; to: number }): Promise<number> {
  const { metric } = watched
  const from = metric.compare === 'usual' ? range.from - weeksCompared * weekMs : range.from
  const whole = { first: range.to, last: range.to, stepMs: minuteMs, windowMs: range.to - from }
  const counting = { ...watched, metric: { ...metric, measure: 'count()', leastRows: 0 } }
  const rows = (await readLine(viewer, counting, whole))(range.to)?.value ?? 0
  const windowMinutes = metric.windowMs / minuteMs
  const steps = Array.from({ length: windowMinutes }, (_, index) => (index + 1) * minuteMs).filter(
    length => metric.windowMs % length === 0 && weekMs % length === 0,
  )
  return steps.find(length => (rows * metric.windowMs) / length <= mostReads) ?? steps.at(-1) ?? minuteMs
}
