import type { Viewer } from '#domain/access/viewer.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { settleWithin } from '#lib/timing.ts'
import { countEdge } from './list/count-edge.ts'
import { countInRange, findCountedPeriods, laterPageMs } from './list/count-in-range.ts'
import { countInControl, findInControl, type RangeInControl } from './list/find-in-control.ts'
import { findInTelemetry } from './list/find-in-telemetry.ts'
import {
  eventTerms,
  type IssueConditions,
  isAboutEvents,
  issueConditions,
  readSearchContext,
  withoutFeedback,
} from './list/issue-conditions.ts'
import { sortMeasures } from './list/issue-fields.ts'
import {
  type IssueCursor,
  type IssueFilter,
  type IssueHits,
  type IssueRange,
  type RangeCounts,
  sparkShape,
} from './list/issue-filter.ts'
import { type IssueRowFields, readIssueRows } from './list/read-issue-rows.ts'
import { readPendingStates } from './mirror/pending-states.ts'
import { resolveIssueIds } from './resolve-issue-ids.ts'

export const issuesPerPage = 50
const countTimeoutMs = 5_000 // a list without counts is better than none
const edgeTimeoutMs = 2_000 // and one with nearly exact counts better than a late one

export type IssueListRow = IssueRowFields & RangeCounts
type IssuePage = {
  issues: IssueListRow[]
  next: IssueCursor | null
  previous: IssueCursor | null
  /** How many issues match; null on a page past the end. */
  total: number | null
  /** The place of the first row among them, from 1. */
  position: number
  /** False when telemetry did not respond: the rows are right, but their counts are missing. */
  isCounted: boolean
  /** False when telemetry did not respond, and counts begin with the hour or day in which the range begins. */
  isExact: boolean
  to: number
}

/**
 * A page of the issue list: ids from the store that can run the search, then rows from control, then missing counts. Paged by
 * keyset, so that a page deep in the list costs as much as the first.
 */
export async function listIssues(viewer: Viewer, given: IssueFilter): Promise<IssuePage> {
  // The cursor comes from a URL. One of another sort has the wrong number of keys: start from the first page.
  const filter = given.after?.keys.length === sortMeasures[given.sort].length ? given : { ...given, after: undefined }
  const query = await planQuery(viewer, filter)
  const { range } = query
  const limit = filter.limit ?? issuesPerPage
  const found = await findHits(viewer, filter, query, { limit: limit + 1, isForRows: true })
  const { hits, total, rest, counts: known } = found
  const isBackward = filter.after?.isBackward ?? false
  const page = isBackward ? hits.slice(-limit) : hits.slice(0, limit)
  const position = (isBackward ? rest - page.length : (total ?? 0) - rest) + 1
  const rows = await readIssueRows(
    viewer,
    page.map(hit => hit.id),
  )
  const counts = known ?? (await settleWithin(countRows(viewer, query, rows), countTimeoutMs))
  const last = position - 1 + page.length < (total ?? 0) ? page.at(-1) : undefined
  const first = position > 1 ? page[0] : undefined
  const none: RangeCounts = { events: 0, users: 0, bars: new Array(sparkShape(range).bars).fill(0), isSampled: false }
  return {
    issues: rows.map(row => ({ ...row, ...(counts?.get(row.id) ?? none) })),
    next: last ? { to: range.to, keys: last.keys, id: last.id } : null,
    previous: first ? { to: range.to, keys: first.keys, id: first.id, isBackward: true } : null,
    total,
    position,
    isCounted: counts !== null,
    isExact: query.isExact,
    to: range.to,
  }
}

/** Control has the counts if the search is not about single events, and is faster. */
function countRows(
  viewer: Viewer,
  { counted, range }: ListQuery,
  issues: IssueRowFields[],
): Promise<Map<number, RangeCounts>> {
  if (counted === null) return countInRange(viewer, { issues, range, events: [], environment: undefined })
  return countInControl(viewer.control, issues, counted, sparkShape(range))
}

/** Ids of all matching issues, for a bulk change. */
export async function listMatchingIds(
  viewer: Viewer,
  filter: Omit<IssueFilter, 'after'>,
  limit: number,
): Promise<number[]> {
  const { hits } = await findHits(viewer, filter, await planQuery(viewer, filter), { limit, isForRows: false })
  return hits.map(hit => hit.id)
}

function rangeOf({ now }: Viewer, { rangeMs, to: end, after }: IssueFilter): IssueRange {
  const to = after?.to ?? end ?? now
  return { from: to - rangeMs, to }
}

type ListQuery = {
  conditions: IssueConditions
  range: IssueRange
  /** Null if the search is about single events, or control has no counts for the range. */
  counted: RangeInControl | null
  /** False when the counts begin with the whole hour or day in which the range begins. */
  isExact: boolean
}

async function planQuery(viewer: Viewer, filter: IssueFilter): Promise<ListQuery> {
  const range = rangeOf(viewer, filter)
  const terms = await resolveIssueIds(viewer, await resolveTerms(viewer, filter.terms, filter.projectIds))
  const asked = issueConditions(terms, await readSearchContext(viewer, terms), viewer.now)
  const conditions = withoutFeedback(terms, asked)
  const isAboutIssues = eventTerms(conditions).length === 0 && filter.environment === undefined
  const periods = isAboutIssues ? await findCountedPeriods(viewer, filter.projectIds, range) : null
  if (periods === null) return { range, conditions, counted: null, isExact: true }
  const { edge } = periods
  const edgeCounts =
    edge === null
      ? []
      : await settleWithin(
          countEdge(viewer, filter.projectIds, { ...periods, edge, period: periods.since - 1 }),
          edgeTimeoutMs,
        )
  if (edgeCounts !== null) return { range, conditions, counted: { ...periods, edgeCounts }, isExact: true }
  const counted = { ...periods, since: periods.since - 1, edge: null, edgeCounts: [] }
  return { range, conditions, counted, isExact: false }
}

async function findHits(
  viewer: Viewer,
  { projectIds, sort, after, environment, among }: IssueFilter,
  { conditions, range, counted }: ListQuery,
  { limit, isForRows }: { limit: number; isForRows: boolean },
): Promise<IssueHits> {
  const needsTelemetry =
    isAboutEvents(conditions) ||
    environment !== undefined ||
    ((sort === 'events' || range.to < viewer.now - laterPageMs) && counted === null) ||
    sort === 'users'
  if (!needsTelemetry)
    return findInControl(viewer.control.within(projectIds), {
      conditions,
      range,
      now: viewer.now,
      counted,
      sort,
      after,
      limit,
      among,
    })
  const pending = await readPendingStates(viewer, projectIds)
  const telemetry = viewer.telemetry.within(projectIds)
  return findInTelemetry(telemetry, { pending, conditions, range, environment, sort, after, limit, isForRows })
}
