/** Reads the number of a metric and its limits, through the explore language. */
import type { Viewer } from '#domain/access/viewer.ts'
import { measureWindows, type Windows } from '#domain/explore/measure-windows.ts'
import { isCount, type Limits, usualOf } from './judge.ts'
import type { Metric } from './metric.ts'

const minuteMs = 60_000
export const weekMs = 7 * 86_400_000
export const weeksCompared = 4
/** The window before and after count too: events do not keep to the minute. */
const neighbors = [-1, 0, 1]

export type Watched = { metric: Metric; projectIds: readonly number[] | undefined; environments: readonly string[] }

/** The number in the window that ends at a time. Null without enough rows, and for a query that can't be run: then the state is unknown. */
export type Line = (end: number) => number | null

/** The job reads the window of a minute, a preview those of many: by the time of receipt, because a minute is judged when all that was received is there. */
export async function readLine(
  viewer: Viewer,
  { metric, projectIds, environments }: Watched,
  windows: Omit<Windows, 'windowMs'> & { windowMs?: number },
  query = metric.query,
): Promise<Line> {
  const { dataset, measure, leastRows, windowMs } = metric
  const measured = await measureWindows(
    viewer,
    { dataset, query, measure },
    { windowMs, ...windows },
    { projectIds, environments },
  )
  if (!measured.ok) return () => null
  const byEnd = new Map(measured.values.map(each => [each.end, each]))
  return end => {
    const { value, rows } = byEnd.get(end) ?? { value: 0, rows: 0 }
    // Nothing counted is 0, but nothing has no duration.
    return rows < leastRows || (rows === 0 && !isCount(metric)) ? null : value
  }
}

/** The number at one moment. */
export async function measureAt(viewer: Viewer, watched: Watched, until: number): Promise<number | null> {
  const query = await queryAt(viewer, watched, until)
  const line = await readLine(viewer, watched, { first: until, last: until, stepMs: minuteMs }, query)
  return line(until)
}

/** What the value is compared with at this moment; null while that is unknown. */
export async function findLimits(viewer: Viewer, watched: Watched, until: number): Promise<Limits | null> {
  const { metric } = watched
  if (metric.compare === 'value') return ownLimits(metric)
  if (metric.compare === 'usual') return usualLimits(metric, await readUsual(viewer, watched, until), until)
  const [newest, previous] = await listVersions(viewer, watched, { until, limit: 2 })
  return newest === undefined || previous === undefined ? null : releaseLimits(viewer, watched, previous, newest)
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
export function usualLimits(metric: Metric, line: Line, until: number): Limits | null {
  const values: number[] = []
  for (let week = 1; week <= weeksCompared; week++) {
    const own = neighbors
      .map(each => line(until - week * weekMs + each * metric.windowMs))
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
  release: SeenRelease,
  next: SeenRelease,
): Promise<Limits | null> {
  const { metric } = watched
  const to = next.seen
  const windows = { first: to, last: to, stepMs: minuteMs, windowMs: weekMs }
  const value = (await readLine(viewer, watched, windows, queryOfRelease(metric, release.version)))(to)
  if (value === null) return null
  const liveMs = to - Math.max(release.seen, to - weekMs)
  const scale = metric.measure === 'count()' ? metric.windowMs / Math.max(liveMs, metric.windowMs) : 1
  return compareLimits(metric, value * scale)
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
