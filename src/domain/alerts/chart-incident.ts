/** The number of an incident over time: before, during and after it, with what was usual then. */
import type { Viewer } from '#domain/access/viewer.ts'
import { countOverTime } from '#domain/explore/count-over-time.ts'
import { usualOf } from './judge.ts'
import type { ListedIncident } from './list-incidents.ts'
import type { Metric } from './metric.ts'
import { measuredProjects } from './rule.ts'

export type IncidentChart = {
  from: number
  to: number
  stepMs: number
  values: number[]
  /** What was usual in each step, as far as its limit; null where that is unknown. Only for a metric that is compared with it. */
  band: ({ low: number; high: number } | null)[] | null
}

const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs
const weeksCompared = 4
const steps = 60
/** All of them divide a week, so that a step of the week before is the same time of day. */
const stepLengths = [1, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map(minutes => minutes * minuteMs)

/** Null if there is nothing to draw. */
export async function chartIncident(viewer: Viewer, incident: ListedIncident): Promise<IncidentChart | null> {
  const { metric, openedAt, closedAt } = incident
  if (metric === null) return null
  const end = closedAt ?? viewer.now
  const aroundMs = Math.max(30 * minuteMs, (end - openedAt) / 2, 3 * metric.windowMs)
  const range = { from: openedAt - aroundMs, to: Math.min(viewer.now, end + aroundMs) }
  const stepMs = stepLengths.find(length => (range.to - range.from) / length <= steps) ?? 1_440 * minuteMs
  const from = Math.floor(range.from / stepMs) * stepMs
  const readLine = async (agoMs: number): Promise<number[]> => {
    const counted = await countOverTime(viewer, seriesOf(metric, stepMs), {
      projectIds: measuredProjects(incident, viewer.projects),
      from: from - agoMs,
      to: range.to - agoMs,
    })
    return counted.ok ? (counted.series[0]?.values ?? []) : []
  }
  const values = await readLine(0)
  if (values.length === 0) return null
  const known = metric.compare === 'usual' ? await readBand(metric, values.length, readLine) : []
  // Of a time in which there usually is nothing, there is nothing to draw.
  const band = known.some(each => each !== null && each.high > 0) ? known : null
  return { from, to: from + values.length * stepMs, stepMs, values, band }
}

const seriesOf = ({ dataset, query, measure }: Metric, stepMs: number) => ({
  dataset,
  query,
  measures: [measure],
  groups: [],
  topGroups: 1,
  stepMs,
})

async function readBand(metric: Metric, length: number, readLine: (agoMs: number) => Promise<number[]>) {
  const weeks: number[][] = []
  for (let week = 1; week <= weeksCompared; week++) {
    const line = await readLine(week * weekMs)
    if (line.some(value => value > 0)) weeks.push(line)
  }
  return Array.from({ length }, (_, index) => {
    const around = weeks.flatMap(line => [line[index - 1], line[index], line[index + 1]])
    const usual = usualOf(
      metric.measure,
      around.filter(value => value !== undefined),
    )
    if (usual === null) return null
    const reach = metric.critical * usual.spread
    return { low: Math.max(0, usual.expected - reach), high: usual.expected + reach }
  })
}
