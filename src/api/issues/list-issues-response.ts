import { findIssueOfEvent } from '#domain/events/find-event.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import type { IssueCursor } from '#domain/issues/list/issue-filter.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import { sentrySorts } from '#search/sentry-words.ts'
import type { ApiCall } from '../api-call.ts'
import { apiError } from '../api-error.ts'
import { cursorResponse, readLimit, wrongCursor } from '../pages.ts'
import { serializeWholeIssue } from './issue-response.ts'
import { readIssueFilter } from './read-issue-filter.ts'
import { serializeIssue } from './serialize-issue.ts'

const defaultLimit = 25

/** The issues of the viewer's projects. */
export async function issueListResponse({
  viewer,
  request,
  search,
}: Pick<ApiCall, 'viewer' | 'request' | 'search'>): Promise<Response> {
  const eventId = readEventId(search.get('query') ?? '')
  if (eventId !== null) return issueOfEventResponse({ viewer, request }, eventId)
  const sortName = search.get('sort') || 'date'
  const sort = Object.hasOwn(sentrySorts, sortName) ? sentrySorts[sortName] : undefined
  if (sort === undefined)
    return apiError(
      400,
      `Issues can't be sorted by ${JSON.stringify(sortName)}. Use one of ${Object.keys(sentrySorts).join(', ')}.`,
    )
  const limit = readLimit(search, defaultLimit)
  if (limit instanceof Response) return limit
  const cursor = search.get('cursor') ?? ''
  const after = readIssueCursor(cursor)
  if (after === null && cursor !== '') return wrongCursor()
  const filter = readIssueFilter(viewer, search, search.get('query') ?? 'is:unresolved', after?.to)
  if (filter instanceof Response) return filter
  const page = await listIssues(viewer, {
    ...filter,
    sort,
    after: after ?? undefined,
    limit,
  })
  const projects = new Map((await listProjects(viewer)).map(project => [project.id, project]))
  const body = page.issues.map(issue => serializeIssue(issue, { viewer, request, projects }))
  return cursorResponse(request, body, {
    previous: { hasResults: false, cursor: '0:0:1' },
    next: { hasResults: page.next !== null, cursor: page.next ? writeIssueCursor(page.next) : '0:0:0' },
  })
}

const readEventId = (query: string): string | null =>
  /^(?:(?:event\.)?id:)?([0-9a-f]{32})$/i.exec(query.trim().replaceAll('-', ''))?.[1]?.toLowerCase() ?? null

/** A search for an event id gives the issue of that event, whatever the time range. */
async function issueOfEventResponse(call: Pick<ApiCall, 'viewer' | 'request'>, eventId: string): Promise<Response> {
  const found = await findIssueOfEvent(call.viewer, eventId)
  const issue = found && (await findIssue(call.viewer, found.issueId))
  const whole = issue && (await serializeWholeIssue(call, issue))
  return Response.json(whole ? [whole] : [])
}

/** `<time of the first page>:<sort keys>:<issue id>`. */
export const writeIssueCursor = ({ to, keys, id }: IssueCursor): string => `${to}:${keys.join('.')}:${id}`

/** Null for an invalid cursor. */
export function readIssueCursor(text: string): IssueCursor | null {
  const match = /^(\d{1,15}):(\d{1,16}(?:\.\d{1,16}){0,3}):(\d{1,16})$/.exec(text)
  if (!match) return null
  return { to: Number(match[1]), keys: (match[2] ?? '').split('.').map(Number), id: Number(match[3]) }
}
