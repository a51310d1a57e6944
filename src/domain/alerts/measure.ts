/** Reads the number of a metric and its limits, through the explore language. */
import type { Viewer } from '#domain/access/viewer.ts'
import { measureWindows, type Windows } from '#domain/explore/measure-windows.ts'
import { isCount, type Limits, usualOf } from './judge.ts'
import { isMostlyThere, type Point } from './judge-metric.ts'
import type { Metric } from './metric.ts'
import { missingIn, type Pause } from './pauses.ts'

const minuteMs = 60_000
export const weekMs = 7 * 86_400_000
export const weeksCompared = 4
/** How far back a minute looks: four weeks, and a window at each end. */
export const comparedMs = weeksCompared * weekMs + 2 * 86_400_000
/** The window before and after count too: events do not keep to the minute. */
const neighbors = [-1, 0, 1]

export type Watched = { metric: Metric; projectIds: readonly number[] | undefined; environments: readonly string[] }

/** The number in the window that ends at a time. Null if the query could not be run. */
export type Line = (end: number) => Point | null

/** The job reads the window of a minute, a preview those of many: by the time of receipt, because a minute is judged when all that was received is there. */
export async function readLine(
  viewer: Viewer,
  { metric, projectIds, environments }: Watched,
  windows: Omit<Windows, 'windowMs'> & { windowMs?: number },
  query = metric.query,
): Promise<Line> {
  const { dataset, measure, windowMs } = metric
  const measured = await measureWindows(
    viewer,
    { dataset, query, measure },
    { windowMs, ...windows },
    { projectIds, environments },
  )
  if (!measured.ok) return () => null
  const byEnd = new Map(measured.values.map(each => [each.end, each]))
  // Nothing counted is 0, but nothing has no duration.
  const nothing = { value: isCount(metric) ? 0 : null, rows: 0 }
  return end => byEnd.get(end) ?? nothing
}

/** The value that others are compared with: only of enough rows, and of a window of which little is missing. */
const baseline =
  ({ leastRows, windowMs }: Pick<Metric, 'leastRows' | 'windowMs'>, line: Line, pauses: readonly Pause[]) =>
  (end: number): number | null => {
    const point = line(end)
    if (point === null || point.rows < leastRows) return null
    return isMostlyThere(windowMs, missingIn(pauses, end - windowMs, end)) ? point.value : null
  }

/** The number at one moment. */
export async function measureAt(viewer: Viewer, watched: Watched, until: number): Promise<Point | null> {
  const query = await queryAt(viewer, watched, until)
  const line = await readLine(viewer, watched, { first: until, last: until, stepMs: minuteMs }, query)
  return line(until)
}

/** What the value is compared with at this moment; null while that is unknown. */
export async function findLimits(
  viewer: Viewer,
  watched: Watched,
  until: number,
  pauses: readonly Pause[],
): Promise<Limits | null> {
  const { metric } = watched
  if (metric.compare === 'value') return ownLimits(metric)
  if (metric.compare === 'usual') return usualLimits(metric, await readUsual(viewer, watched, until), until, pauses)
  const [newest, previous] = await listVersions(viewer, watched, { until, limit: 2 })
  if (newest === undefined || previous === undefined) return null
  return releaseLimits(viewer, watched, { release: previous, next: newest, pauses })
}

export const ownLimits = ({ critical, warning, resolved }: Metric): Limits => ({ critical, warning, resolved })

/** Limits as values: by spreads of what is usual, or by percent of another number. */
function compareLimits(metric: Metric, compared: { expected: number; spread: number } | number): Limits {
  const sign = metric.direction === 'above' ? 1 : -1
  const at = (amount: number): number =>
    typeof compared === 'number'
      ? compared * (1 + (sign * amount) / 100)
      : compared.expected + sign * amount * compared.spread
  const { critical, warning, resolved } = metric
  return {
    critical: at(critical),
    warning: warning === null ? null : at(warning),
    resolved: resolved === null ? null : at(resolved),
  }
}

/** By the same window of the weeks before and its neighbors, for as long as there was any data. */
export function usualLimits(metric: Metric, line: Line, until: number, pauses: readonly Pause[]): Limits | null {
  const values: number[] = []
  const valueAt = baseline(metric, line, pauses)
  for (let week = 1; week <= weeksCompared; week++) {
    const own = neighbors
      .map(each => valueAt(until - week * weekMs + each * metric.windowMs))
      .filter(each => each !== null)
    if (own.some(value => value > 0 || !isCount(metric))) values.push(...own)
  }
  const usual = usualOf(metric.measure, values)
  return usual && compareLimits(metric, usual)
}

async function readUsual(viewer: Viewer, watched: Watched, until: number): Promise<Line> {
  const { windowMs } = watched.metric
  const lines: Line[] = []
  for (let week = 1; week <= weeksCompared; week++) {
    const middle = until - week * weekMs
    lines.push(await readLine(viewer, watched, { first: middle - windowMs, last: middle + windowMs, stepMs: windowMs }))
  }
  return end => lines[Math.round((until - end) / weekMs) - 1]?.(end) ?? null
}

type SeenRelease = { version: string; seen: number }

/** By the release before, over the week until the newer one was seen; a count for as long as one window. */
export async function releaseLimits(
  viewer: Viewer,
  watched: Watched,
  { release, next, pauses }: { release: SeenRelease; next: SeenRelease; pauses: readonly Pause[] },
): Promise<Limits | null> {
  const { metric } = watched
  const to = next.seen
  const windows = { first: to, last: to, stepMs: minuteMs, windowMs: weekMs }
  const line = await readLine(viewer, watched, windows, queryOfRelease(metric, release.version))
  const point = line(to)
  if (point === null || point.value === null || point.rows < metric.leastRows) return null
  const from = Math.max(release.seen, to - weekMs)
  const liveMs = to - from - missingIn(pauses, from, to)
  const scale = /^(?:count|count_if|failure_count)\(/.test(metric.measure)
    ? metric.windowMs / Math.max(liveMs, metric.windowMs)
    : 1
  return compareLimits(metric, point.value * scale)
}

/** The rows that a metric is about at a time: those of the newest release, if it is compared with the one before. */
async function queryAt(viewer: Viewer, watched: Watched, until: number): Promise<string> {
  if (watched.metric.compare !== 'previous-release') return watched.metric.query
  const [newest] = await listVersions(viewer, watched, { until, limit: 1 })
  return newest === undefined ? watched.metric.query : queryOfRelease(watched.metric, newest.version)
}

export const queryOfRelease = ({ query }: Metric, version: string): string =>
  `${query} release:"${version.replaceAll(/["\\*]/g, '\\$&')}"`.trim()

/** The releases that were seen last before a time, newest first, and since when. */
export async function listVersions(
  viewer: Viewer,
  { projectIds }: Watched,
  { until, limit }: { until: number; limit: number },
): Promise<SeenRelease[]> {
  return viewer.control
    .within(projectIds)
    .seenReleases()
    .select(({ fn }) => ['version', fn.min<number>('first_seen').as('seen')])
    .where('first_seen', '<', until)
    .groupBy('version')
    .orderBy('seen', 'desc')
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
}
