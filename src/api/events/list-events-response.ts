import type { Cell } from '#domain/explore/explore.ts'
import { explore } from '#domain/explore/explore.ts'
import type { ApiCall } from '../api-call.ts'
import { serializeTitle } from '../issues/serialize-issue.ts'
import { cursorResponse, pageCursors, readPage } from '../pages.ts'
import { faultResponse, hasRange, readFilter } from '../read-filter.ts'
import { serializeUser } from './serialize-event.ts'

const fields = [
  'id',
  'issue.id',
  'project.id',
  'title',
  'culprit',
  'timestamp',
  'platform',
  'event.type',
  'level',
  'environment',
  'release',
  'transaction',
  'user.id',
  'user.email',
  'user.username',
  'user.ip',
  'tags',
]
type Row = Record<string, Cell>
const defaultLimit = 50

/** Events of a project, or of an issue by its hashes, newest first unless `?sort=` says otherwise. Without a range, all `since` then. */
export async function eventListResponse(
  { viewer, request, search }: Pick<ApiCall, 'viewer' | 'request' | 'search'>,
  { since, ...only }: { projectIds: number[]; hashes?: string[]; since?: number },
): Promise<Response> {
  const page = readPage(search, { usual: defaultLimit, isKeyed: true })
  if (page instanceof Response) return page
  const asOf = page.asOf ?? viewer.now
  const filter = readFilter(viewer, search, asOf)
  if (filter instanceof Response) return filter
  const sorts = search.getAll('sort').filter(word => word !== '')
  const sort = sorts.length > 0 ? sorts : ['-timestamp']
  const query = { dataset: 'errors', fields, query: search.get('query') ?? '', sort }
  const from = since !== undefined && !hasRange(search) ? since : filter.from
  const found = await explore(viewer, query, { ...filter, ...only, from }, page)
  if (!found.ok) return faultResponse(found)
  return cursorResponse(
    request,
    found.rows.map(serializeRow),
    pageCursors({ ...page, asOf }, found.hasMore, found.last),
  )
}

const text = (row: Row, name: string): string => String(row[name] ?? '')

function serializeRow(row: Row) {
  const title = text(row, 'title')
  return {
    id: text(row, 'id'),
    eventID: text(row, 'id'),
    groupID: text(row, 'issue.id'),
    projectID: text(row, 'project.id'),
    title,
    message: title,
    culprit: text(row, 'culprit'),
    location: text(row, 'culprit') || null,
    platform: text(row, 'platform'),
    'event.type': text(row, 'event.type'),
    type: text(row, 'event.type'),
    dateCreated: text(row, 'timestamp'),
    metadata: serializeTitle(title),
    crashFile: null,
    user: serializeUser({
      user_id: text(row, 'user.id'),
      user_email: text(row, 'user.email'),
      user_name: text(row, 'user.username'),
      user_ip: text(row, 'user.ip'),
    }),
    tags: serializeRowTags(row),
  }
}

function serializeRowTags(row: Row): { key: string; value: string }[] {
  const own = ['level', 'environment', 'release', 'transaction'].map((name): [string, string] => [
    name,
    text(row, name),
  ])
  const tags = Object.entries(JSON.parse(text(row, 'tags') || '{}') as Record<string, string>)
  return [...own, ...tags].filter(([, value]) => value !== '').map(([key, value]) => ({ key, value }))
}
