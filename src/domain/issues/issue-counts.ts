import { sql } from 'kysely'
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams, eventSource } from '#domain/events/event-condition.ts'
import { type IssueEventFilter, issueEventScope } from '#domain/events/event-scope.ts'
import { type Occurrence, readNewestEvents } from '#domain/events/newest-events.ts'
import { cacheIssueQuery } from './cache-issue-query.ts'
import type { Issue } from './find-issue.ts'
import { eventScopeSql, type IssueFilter } from './list/issue-filter.ts'
import { issueStatesSql, readPendingStates } from './mirror/pending-states.ts'

export const barCount = 60
const maxReleases = 6

export type EventBars = { from: number; to: number; stepMs: number; counts: number[] }
/** A release in which the issue was seen, and when it first was. */
type SeenRelease = { release: string; firstSeen: number }

const row = z.object({
  bar: z.coerce.number(),
  release: z.string(),
  quantity: z.coerce.number(),
  first_seen: z.coerce.number(),
})
const maxSpanMs = 30 * 24 * 3_600_000
const minSpanMs = 3_600_000

/**
 * Events of an issue over its life or a chosen time range, in bars of equal length, and the newest releases among them. Events
 * before the first bar are counted as bar -1, because a release may be older than the bars.
 */
export const countIssueEvents = (
  viewer: Viewer,
  issue: Issue,
  filter: IssueEventFilter,
): Promise<EventBars & { releases: SeenRelease[] }> =>
  cacheIssueQuery(viewer, issue, { name: 'bars', filter }, () => readBars(viewer, issue, filter))

type Bar = { bar: number; release: string; quantity: number; first_seen: number }

async function readBars(
  viewer: Viewer,
  issue: Issue,
  filter: IssueEventFilter,
): Promise<EventBars & { releases: SeenRelease[] }> {
  const to = filter.to ?? viewer.now
  const from = filter.from ?? Math.min(Math.max(issue.firstSeen, to - maxSpanMs), to - minSpanMs)
  const stepMs = Math.max(1, Math.ceil((to - from) / barCount))
  const { all } = await readNewestEvents(viewer, issue, filter)
  const rows = all ? all.map(toBar) : await queryBars(viewer, issue, { ...filter, to }, { from, stepMs })
  const counts = Array.from({ length: barCount }, () => 0)
  for (const { bar, quantity } of rows) {
    if (bar < 0) continue
    const index = Math.min(bar, barCount - 1)
    counts[index] = (counts[index] ?? 0) + quantity
  }
  return { from, to, stepMs, counts: counts.map(Math.round), releases: newestReleases(rows) }

  function toBar({ at, release, weight }: Occurrence): Bar {
    return { bar: Math.max(-1, Math.floor((at - from) / stepMs)), release, quantity: weight, first_seen: at }
  }
}

function queryBars(
  viewer: Viewer,
  issue: Issue,
  filter: IssueEventFilter,
  { from, stepMs }: { from: number; stepMs: number },
): Promise<Bar[]> {
  const { source, where, params } = issueEventScope(issue, filter)
  return viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT
        greatest(-1, toInt64(floor((toUnixTimestamp64Milli(timestamp) - {start:Int64}) / {stepMs:Int64}))) AS bar,
        release, sum(weight) AS quantity, toUnixTimestamp64Milli(min(timestamp)) AS first_seen
      FROM ${source}
      WHERE ${where}
      GROUP BY bar, release
      ORDER BY first_seen DESC
      LIMIT 20000`,
    params: { ...params, start: from, stepMs },
    schema: row,
  })
}

/** Sorted by when they were first seen, the newest last. */
function newestReleases(rows: readonly Bar[]): SeenRelease[] {
  const firstSeen = new Map<string, number>()
  for (const { release, first_seen: at } of rows)
    if (release !== '') firstSeen.set(release, Math.min(at, firstSeen.get(release) ?? at))
  return Array.from(firstSeen, ([release, at]) => ({ release, firstSeen: at }))
    .sort((a, b) => a.firstSeen - b.firstSeen || (a.release < b.release ? 1 : -1))
    .slice(-maxReleases)
}

type IssueViewCounts = { unresolved: number; new: number; escalating: number; regressed: number; mine: number }

type ViewFilter = Pick<IssueFilter, 'projectIds' | 'rangeMs' | 'environment'>
type ViewRow = { substatus: string; issues: number; mine: number }
const viewRow = z.object({ substatus: z.string(), issues: z.coerce.number(), mine: z.coerce.number() })

/** How many unresolved issues were seen in the time range, by substatus, and how many of them are mine. */
export async function countIssueViews(viewer: Viewer, filter: ViewFilter): Promise<IssueViewCounts> {
  const rows = await (filter.environment === undefined
    ? countViewsInControl(viewer, filter)
    : countViewsInTelemetry(viewer, filter))
  const of = (substatus: string) => rows.find(row => row.substatus === substatus)?.issues ?? 0
  return {
    unresolved: rows.reduce((sum, row) => sum + row.issues, 0),
    new: of('new'),
    escalating: of('escalating'),
    regressed: of('regressed'),
    mine: rows.reduce((sum, row) => sum + row.mine, 0),
  }
}

/** Only events know their environment. */
async function countViewsInTelemetry(
  viewer: Viewer,
  { projectIds, rangeMs, environment }: ViewFilter,
): Promise<ViewRow[]> {
  const pending = await readPendingStates(viewer, projectIds)
  const { params, bind } = boundParams()
  const range = { from: viewer.now - rangeMs, to: viewer.now }
  const states = issueStatesSql(pending, bind, {
    columns: ['project_id', 'group_hash', 'issue_id', 'substatus', 'assignee'],
    conditions: [`status = 'unresolved'`],
  })
  return viewer.telemetry.within(projectIds).query({
    query: `
      SELECT substatus, count() AS issues, countIf(assignee = ${bind(`user:${viewer.user.id}`, 'String')}) AS mine
      FROM (
        SELECT states.issue_id AS issue_id, any(states.substatus) AS substatus, any(states.assignee) AS assignee
        FROM (
          SELECT DISTINCT project_id, group_hash FROM ${eventSource([], rangeMs)}
          WHERE ${eventScopeSql(range, [], environment, bind)}
        ) AS found
        GLOBAL INNER JOIN (${states}) AS states ON states.project_id = found.project_id AND states.group_hash = found.group_hash
        GROUP BY issue_id
      )
      GROUP BY substatus LIMIT 10`,
    params,
    schema: viewRow,
  })
}

function countViewsInControl(viewer: Viewer, filter: ViewFilter): Promise<ViewRow[]> {
  const isMine = sql<number>`case when issue.assignee = ${`user:${viewer.user.id}`} then 1 else 0 end`
  return viewer.control
    .within(filter.projectIds)
    .issues()
    .select(['issue.substatus'])
    .select(({ fn }) => [fn.countAll<number>().as('issues'), sql<number>`sum(${isMine})`.as('mine')])
    .where('issue.status', '=', 'unresolved')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('issue_hash')
          .select('issue_hash.issue_id')
          .whereRef('issue_hash.issue_id', '=', 'issue.id')
          .where('issue_hash.last_seen', '>=', viewer.now - filter.rangeMs),
      ),
    )
    .groupBy('issue.substatus')
    .execute()
}
