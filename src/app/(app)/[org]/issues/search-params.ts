import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type IssueCursor, type IssueFilter, type IssueSort, issueSorts } from '#domain/issues/list/issue-filter.ts'
import { eventPart } from '#search/event-part.ts'
import { parseSearch } from '#search/parse-search.ts'
import { formatSearch, type SearchFault } from '#search/search-term.ts'
import { defineList, type ListParams, timeFilter } from '../list-params.ts'
import { issueHref } from './[issueId]/search-params.ts'

export const sorts: Record<IssueSort, string> = {
  urgency: 'urgency',
  lastSeen: 'last seen',
  firstSeen: 'first seen',
  events: 'events',
  users: 'users',
}

/** Shown on hover, for a sort that its name doesn't explain. */
export const sortHints: Partial<Record<IssueSort, string>> = {
  urgency:
    'Errors before warnings before the rest. Then most users in 24 hours, then most above the usual events per hour, then unhandled, then new or regressed.',
}

const backwardMark = '-back'

/** The list's parameters in the URL. */
export type IssueParams = ListParams<IssueSort, IssueCursor>

export const {
  read: readIssueParams,
  kept: keptParams,
  href: issuesHref,
} = defineList({ path: 'issues', defaultQuery: 'is:unresolved', sorts: issueSorts, parseCursor, formatCursor })

/** An issue of the list, with the list's projects, environment and time and the part of its search that is about events. */
export function listedIssueHref(organizationSlug: string, issueId: number, params: IssueParams): string {
  const parsed = parseSearch(params.q)
  return issueHref(organizationSlug, issueId, {
    ...params,
    query: parsed.ok ? formatSearch(eventPart(parsed.terms)) : '',
  })
}

function formatCursor({ to, keys, id, isBackward }: IssueCursor): string {
  return [to, ...keys, id].join('-') + (isBackward ? backwardMark : '')
}

function parseCursor(text: string): IssueCursor | undefined {
  if (!/^\d{1,15}(-\d{1,15}){2,3}(-back)?$/.test(text)) return undefined
  const isBackward = text.endsWith(backwardMark)
  const [to = 0, ...rest] = text.replace(backwardMark, '').split('-').map(Number)
  return { to, keys: rest.slice(0, -1), id: rest.at(-1) ?? 0, ...(isBackward ? { isBackward } : {}) }
}

type ReadFilter = { ok: true; filter: IssueFilter } | { ok: false; faults: SearchFault[] }

/** Converts the URL parameters to a filter. Slugs of projects that the viewer can't see match nothing. */
export function readFilter(viewer: Viewer, params: IssueParams): ReadFilter {
  const parsed = parseSearch(params.q)
  if (!parsed.ok) return parsed
  return {
    ok: true,
    filter: {
      terms: parsed.terms,
      projectIds: findProjectIds(viewer, params.projects),
      environment: params.environment,
      ...timeFilter(params),
      sort: params.sort,
      after: params.after,
    },
  }
}
