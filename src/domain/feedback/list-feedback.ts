import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueFilter } from '#domain/issues/list/issue-filter.ts'
import { type IssueRowFields, readIssueRows } from '#domain/issues/list/read-issue-rows.ts'
import { listMatchingIds } from '#domain/issues/list-issues.ts'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import { fieldTerm } from '#search/search-term.ts'
import { findPictured, listReports, type Report } from './list-reports.ts'

export const feedbackViews = ['inbox', 'unread', 'mine', 'resolved', 'spam'] as const
export type FeedbackView = (typeof feedbackViews)[number]

export type FeedbackFilter = Pick<IssueFilter, 'terms' | 'projectIds' | 'environment' | 'rangeMs' | 'to'> & {
  view: FeedbackView
  /** The first is 1. */
  page: number
}

export type FeedbackRow = IssueRowFields & {
  /** The newest message; null if it has expired. */
  report: Report | null
  /** How many messages the issue has among those that were read. */
  reports: number
  hasPicture: boolean
}

export type FeedbackPage = {
  rows: FeedbackRow[]
  counts: Record<FeedbackView, number>
  /** How many of the view there are. */
  total: number
  /** Older ones than these exist, which no view counts. */
  isCut: boolean
}

const mostRead = 1_000 // newest issues of a search
export const feedbackPerPage = 50
const reportsPerGroup = 20

type State = { id: number; status: string; assignee: string; isSeen: boolean }

/** A page of the messages of users, newest first, and how many there are in each view. */
export async function listFeedback(
  viewer: Viewer,
  { view, page, terms, ...filter }: FeedbackFilter,
): Promise<FeedbackPage> {
  const wanted = {
    ...filter,
    terms: [...terms, fieldTerm('issue.category', [feedbackKind])],
    sort: 'lastSeen' as const,
  }
  const ids = await listMatchingIds(viewer, wanted, mostRead + 1)
  const isCut = ids.length > mostRead
  const states = await readStates(viewer, ids.slice(0, mostRead))
  const isIn = createViews(viewer)
  const counts = Object.fromEntries(
    feedbackViews.map(each => [each, states.filter(state => isIn[each](state)).length]),
  ) as Record<FeedbackView, number>
  const shown = states.filter(isIn[view]).slice((page - 1) * feedbackPerPage, page * feedbackPerPage)
  const rows = await readIssueRows(
    viewer,
    shown.map(({ id }) => id),
  )
  return { rows: await withReports(viewer, rows), counts, total: counts[view], isCut }
}

/** Counted up to this: the rail says 99+. */
const mostUnread = 100

/** How many messages in the inbox the viewer has not opened, for the number beside the page's name. */
export async function countUnreadFeedback(viewer: Viewer): Promise<number> {
  const rows = await viewer.control
    .issues()
    .leftJoin('issue_seen', join =>
      join.onRef('issue_seen.issue_id', '=', 'issue.id').on('issue_seen.user_id', '=', viewer.user.id),
    )
    .select('issue.id')
    .where('issue.kind', '=', feedbackKind)
    .where('issue.status', '=', 'unresolved')
    .where('issue_seen.seen_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('issue_hash').select('issue_hash.issue_id').whereRef('issue_hash.issue_id', '=', 'issue.id')),
    )
    .limit(mostUnread)
    .execute()
  return rows.length
}

function createViews({ user }: Viewer): Record<FeedbackView, (state: State) => boolean> {
  const isOpen = ({ status }: State) => status === 'unresolved'
  return {
    inbox: isOpen,
    unread: state => isOpen(state) && !state.isSeen,
    mine: state => isOpen(state) && state.assignee === `user:${user.id}`,
    resolved: ({ status }) => status === 'resolved',
    spam: ({ status }) => status === 'archived',
  }
}

async function readStates(viewer: Viewer, ids: readonly number[]): Promise<State[]> {
  const byId = new Map<number, State>()
  for (const some of ascendingChunks(ids))
    for (const row of await viewer.control
      .issues()
      .leftJoin('issue_seen', join =>
        join.onRef('issue_seen.issue_id', '=', 'issue.id').on('issue_seen.user_id', '=', viewer.user.id),
      )
      .select(['issue.id', 'issue.status', 'issue.assignee', 'issue_seen.seen_at'])
      .where('issue.id', 'in', some)
      .execute())
      byId.set(row.id, { id: row.id, status: row.status, assignee: row.assignee, isSeen: row.seen_at !== null })
  return ids.flatMap(id => byId.get(id) ?? [])
}

async function withReports(viewer: Viewer, rows: readonly IssueRowFields[]): Promise<FeedbackRow[]> {
  const reports = await listReports(viewer, rows, {
    perGroup: reportsPerGroup,
    limit: feedbackPerPage * reportsPerGroup,
  })
  const ofRow = (row: IssueRowFields) =>
    reports.filter(({ projectId, hash }) => projectId === row.projectId && row.hashes.includes(hash))
  const newest = rows.map(row => ({ row, own: ofRow(row) }))
  const pictured = await findPictured(
    viewer,
    newest.flatMap(({ own }) => own[0] ?? []),
  )
  return newest.map(({ row, own: [report = null, ...more] }) => ({
    ...row,
    report,
    reports: more.length + (report === null ? 0 : 1),
    hasPicture: report !== null && pictured.has(report.eventId),
  }))
}
