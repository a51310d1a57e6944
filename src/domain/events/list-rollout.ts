import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheIssueQuery } from '#domain/issues/cache-issue-query.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { listLaterReleases } from '#domain/releases/list-releases.ts'
import { expectedSpans } from '#react/route-sample.ts'
import { eventScope, eventScopeParams } from './event-scope.ts'

const row = z.object({ bucket: z.coerce.number(), old: z.coerce.number(), fresh: z.coerce.number() })
const failureRow = z.object({ bucket: z.coerce.number(), failures: z.coerce.number() })
const buckets = 32
const hourMs = 3_600_000
/** Long enough for forgotten tabs, short enough to see a deploy. */
const longestMs = 14 * 24 * hourMs

export type Rollout = {
  from: number
  stepMs: number
  /** Page loads, navigations and sessions with the failing release (`old`) and with others (`fresh`). */
  old: number[]
  fresh: number[]
  failures: number[]
  /** Releases that came after it. */
  deploys: { version: string; at: number }[]
}

/** Browser activity of a release and of all others, from just before the first failure until now. */
export const listRollout = (viewer: Viewer, issue: Issue, release: string): Promise<Rollout> =>
  cacheIssueQuery(viewer, issue, { name: 'rollout', filter: {}, detail: release }, () =>
    readRollout(viewer, issue, release),
  )

async function readRollout(viewer: Viewer, issue: Issue, release: string): Promise<Rollout> {
  const to = viewer.now
  const from = Math.max(to - longestMs, issue.firstSeen - hourMs)
  const stepMs = Math.max(60_000, Math.ceil((to - from) / buckets))
  const span = { projectId: issue.projectId, from, to, stepMs }
  const [activity, failures, deploys] = await Promise.all([
    countActivity(viewer, span, release),
    viewer.telemetry.within([issue.projectId]).query({
      query: `
        SELECT ${bucketOf('timestamp')} AS bucket, sum(weight) AS failures
        FROM events
        WHERE ${eventScope}
        GROUP BY bucket
        ORDER BY bucket
        LIMIT 1000`,
      params: { ...eventScopeParams(issue), from, stepMs },
      schema: failureRow,
    }),
    listLaterReleases(viewer, { ...span, release }),
  ])
  const toBuckets = <Row extends { bucket: number }>(rows: Row[], read: (row: Row) => number): number[] => {
    const list = Array.from({ length: buckets }, () => 0)
    for (const each of rows) {
      const at = Math.min(buckets - 1, each.bucket)
      if (at >= 0) list[at] = (list[at] ?? 0) + read(each)
    }
    return list
  }
  return {
    from,
    stepMs,
    old: toBuckets(activity, each => each.old),
    fresh: toBuckets(activity, each => each.fresh),
    failures: toBuckets(failures, each => each.failures),
    deploys,
  }
}

type Span = { projectId: number; from: number; to: number; stepMs: number }

/** Page loads, navigations and sessions of one release and of all others, per step. */
export const countActivity = (viewer: Pick<Viewer, 'telemetry'>, { projectId, ...span }: Span, release: string) =>
  viewer.telemetry.within([projectId]).query({
    query: `
      SELECT bucket, sumIf(quantity, release = {release:String}) AS old, sumIf(quantity, release != {release:String}) AS fresh
      FROM (
        ${span.stepMs >= sumsEveryMs ? viewSums : views}
        UNION ALL
        SELECT ${bucketOf('started')} AS bucket, release, sum(weight * sessions.quantity) AS quantity
        FROM sessions
        WHERE {scope} AND ${within('started')} AND is_init
        GROUP BY bucket, release
      )
      WHERE release != ''
      GROUP BY bucket
      ORDER BY bucket
      LIMIT 1000`,
    params: { ...span, release },
    schema: row,
  })

const bucketOf = (column: string): string =>
  `intDiv(toUnixTimestamp64Milli(toDateTime64(${column}, 3, 'UTC')) - {from:Int64}, {stepMs:Int64})`
const within = (column: string): string =>
  `${column} >= fromUnixTimestamp64Milli({from:Int64}) AND ${column} <= fromUnixTimestamp64Milli({to:Int64})`

/** Summing single spans of days takes a second; `route_sums` has them in steps of five minutes. */
const sumsEveryMs = 5 * 60_000
const viewSums = `
  SELECT intDiv(toUnixTimestamp(route_sums.bucket) * 1000 - {from:Int64}, {stepMs:Int64}) AS bucket, release, sum(count) AS quantity
  FROM route_sums
  WHERE {scope} AND ${within('route_sums.bucket')} AND measure IN ('page_load', 'navigation')
  GROUP BY bucket, release`
const views = `
  SELECT ${bucketOf('timestamp')} AS bucket, release, ${expectedSpans} AS quantity
  FROM spans
  WHERE {scope} AND ${within('timestamp')} AND is_segment AND op IN ('pageload', 'navigation')
  GROUP BY bucket, release`
