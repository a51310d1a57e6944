/** Reads the number of a metric and its limits, through the explore language. */
import type { Viewer } from '#domain/access/viewer.ts'
import { countOverTime } from '#domain/explore/count-over-time.ts'
import { explore } from '#domain/explore/explore.ts'
import { type Limits, usualOf } from './judge.ts'
import type { Metric } from './metric.ts'

const dayMs = 86_400_000
const weekMs = 7 * dayMs
export const weeksCompared = 4
/** The window before and after count too: events do not keep to the minute. */
const around = 1

export type Watched = { metric: Metric; projectIds: readonly number[] | undefined; environments: readonly string[] }
type Range = { from: number; to: number }

/** Null without enough rows, and for a query that can't be run: then the state is unknown. */
export async function measure(viewer: Viewer, watched: Watched, range: Range, query = watched.metric.query) {
  const { metric, projectIds, environments } = watched
  const explored = await explore(
    viewer,
    { dataset: metric.dataset, fields: [metric.measure, 'count()'], query, sort: [] },
    { projectIds, environments, from: range.from, to: range.to - 1 },
    { limit: 1, offset: 0 },
  )
  if (!explored.ok) return null
  const [row] = explored.rows
  const rows = Number(row?.['count()'] ?? 0)
  const isCount = metric.measure.startsWith('count')
  // Nothing counted is 0, but nothing has no duration.
  if (rows < metric.leastRows || (rows === 0 && !isCount)) return null
  return Number(row?.[metric.measure] ?? 0)
}

/** What the value is compared with at this moment; null while that is unknown. */
export async function findLimits(viewer: Viewer, watched: Watched, range: Range): Promise<Limits | null> {
  const { metric } = watched
  const { critical, warning, resolved } = metric
  if (metric.compare === 'value') return { critical, warning, resolved }
  const compared =
    metric.compare === 'usual'
      ? usualOf(await readUsual(viewer, watched, range))
      : await measurePreviousRelease(viewer, watched, range)
  return compared === null ? null : compareLimits(metric, compared)
}

/** Limits as values: by spreads of what is usual, or by percent of another number. */
export function compareLimits(metric: Metric, compared: { expected: number; spread: number } | number): Limits {
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

/** The same windows of the weeks before, for as long as there was any data. */
async function readUsual(viewer: Viewer, { metric, projectIds, environments }: Watched, range: Range) {
  const values: number[] = []
  for (let week = 1; week <= weeksCompared; week++) {
    const from = range.from - week * weekMs - around * metric.windowMs
    const to = range.to - week * weekMs + around * metric.windowMs
    const counted = await countOverTime(
      viewer,
      {
        dataset: metric.dataset,
        query: metric.query,
        measures: [metric.measure],
        groups: [],
        topGroups: 1,
        stepMs: metric.windowMs,
      },
      { projectIds, environments, from, to },
    )
    const line = counted.ok ? (counted.series[0]?.values ?? []) : []
    if (line.some(value => value > 0)) values.push(...line)
  }
  return values
}

/** The value of the release before the newest. The newest is what the metric is about then. */
async function measurePreviousRelease(viewer: Viewer, watched: Watched, range: Range): Promise<number | null> {
  const [newest, previous] = await listVersions(viewer, watched, 2)
  return newest === undefined || previous === undefined
    ? null
    : measureRelease(viewer, watched, { release: previous, next: newest, to: range.to })
}

type SeenRelease = { version: string; seen: number }

/** The value of a release over the week before `to`; a count for as long as one window, from the time until the next release was seen. */
export async function measureRelease(
  viewer: Viewer,
  watched: Watched,
  { release, next, to }: { release: SeenRelease; next: SeenRelease; to: number },
): Promise<number | null> {
  const { metric } = watched
  const range = { from: to - weekMs, to }
  const value = await measure(viewer, watched, range, queryOfRelease(metric, release.version))
  if (value === null || metric.measure !== 'count()') return value
  const liveMs = Math.min(next.seen, to) - Math.max(release.seen, range.from)
  return value * (metric.windowMs / Math.max(liveMs, metric.windowMs))
}

/** The rows that a metric is about now: those of the newest release, if it is compared with the one before. */
export async function queryNow(viewer: Viewer, watched: Watched): Promise<string> {
  if (watched.metric.compare !== 'previous-release') return watched.metric.query
  const [newest] = await listVersions(viewer, watched, 1)
  return newest === undefined ? watched.metric.query : queryOfRelease(watched.metric, newest.version)
}

export const queryOfRelease = ({ query }: Metric, version: string): string =>
  `${query} release:"${version.replaceAll(/["\\*]/g, '\\$&')}"`.trim()

/** The releases that were seen last, newest first, and since when. */
export async function listVersions(viewer: Viewer, { projectIds }: Watched, limit: number) {
  return viewer.control
    .within(projectIds)
    .seenReleases()
    .select(({ fn }) => ['version', fn.max<number>('first_seen').as('seen')])
    .groupBy('version')
    .orderBy('seen', 'desc')
    .limit(limit)
    .execute()
}
