import type { Cell } from '#domain/explore/explore.ts'
import { explore } from '#domain/explore/explore.ts'
import type { ApiCall } from './define-api-route.ts'
import { answerWithCursors, pageCursors, readPage } from './pages.ts'
import { faultAnswer, readFilter } from './read-filter.ts'
import { describeUser } from './serialize-event.ts'
import { describeTitle } from './serialize-issue.ts'

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
const usualLimit = 50

/** Events, the newest first: of a project, or of those hashes of it that are an issue. */
export async function answerEventList(
  { viewer, request, search }: Pick<ApiCall<unknown>, 'viewer' | 'request' | 'search'>,
  only: { projectIds: number[]; hashes?: string[] },
): Promise<Response> {
  const page = readPage(search, usualLimit)
  const asOf = page.asOf ?? viewer.now
  const filter = readFilter(viewer, search, asOf)
  if (filter instanceof Response) return filter
  const question = { dataset: 'errors', fields, query: search.get('query') ?? '', sort: ['-timestamp'] }
  const found = await explore(viewer, question, { ...filter, ...only }, page)
  if (!found.ok) return faultAnswer(found)
  return answerWithCursors(request, found.rows.map(describeRow), pageCursors({ ...page, asOf }, found.hasMore))
}

const text = (row: Row, name: string): string => String(row[name] ?? '')

function describeRow(row: Row) {
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
    metadata: describeTitle(title),
    crashFile: null,
    user: describeUser({
      user_id: text(row, 'user.id'),
      user_email: text(row, 'user.email'),
      user_name: text(row, 'user.username'),
      user_ip: text(row, 'user.ip'),
    }),
    tags: describeRowTags(row),
  }
}

function describeRowTags(row: Row): { key: string; value: string }[] {
  const own = ['level', 'environment', 'release', 'transaction'].map((name): [string, string] => [
    name,
    text(row, name),
  ])
  const tags = Object.entries(JSON.parse(text(row, 'tags') || '{}') as Record<string, string>)
  return [...own, ...tags].filter(([, value]) => value !== '').map(([key, value]) => ({ key, value }))
}
