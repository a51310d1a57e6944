import type { RowKey } from '#domain/explore/exploration-sql.ts'
import { clipText } from '#lib/text.ts'
import { getRuntime } from '#runtime.ts'
import { apiError } from './api-error.ts'

/** The requested part of a list. Query `limit + 1` rows to know whether there is a next page. */
export type ApiPage = {
  offset: number
  limit: number
  /** The time of the first page, so that newer rows don't shift later pages. */
  asOf?: number
  /** The last row of the page before, in lists to which rows are added while they are read: it stands where it was, unlike a position. */
  after?: RowKey
}

const maxLimit = 100
const maxOffset = 100_000 // no tool pages further, and larger offsets are expensive

/** Reads `?per_page=` (or `limit=`) and `?cursor=0:100:0`, or a cursor with the key of a row if the list has such. */
export function readPage(
  search: URLSearchParams,
  { usual = maxLimit, isKeyed = false }: { usual?: number; isKeyed?: boolean } = {},
): ApiPage | Response {
  const limit = readLimit(search, usual)
  if (limit instanceof Response) return limit
  const cursor = search.get('cursor') ?? ''
  if (cursor === '') return { offset: 0, limit }
  const keyed = isKeyed ? readKeyCursor(cursor) : null
  if (keyed !== null) return { offset: 0, limit, ...keyed }
  const [, asOf = '', offset] = /^(\d{1,15}):(\d{1,9}):[01]$/.exec(cursor) ?? []
  if (offset === undefined) return wrongCursor()
  if (Number(offset) > maxOffset)
    return apiError(400, `Lists end after ${maxOffset.toLocaleString('en-US')} rows. Narrow the search or the time.`)
  return { offset: Number(offset), limit, ...(Number(asOf) === 0 ? {} : { asOf: Number(asOf) }) }
}

const keyCursor = /^(\d{1,15}):(-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]\d{1,3})?|null):k([\w-]{1,400})$/

function readKeyCursor(cursor: string): Required<Pick<ApiPage, 'asOf' | 'after'>> | null {
  const [, asOf, key, id] = keyCursor.exec(cursor) ?? []
  if (id === undefined) return null
  const after = { key: key === 'null' ? null : Number(key), id: Buffer.from(id, 'base64url').toString() }
  return { asOf: Number(asOf), after }
}

const writeKeyCursor = (asOf: number, { key, id }: RowKey): string =>
  `${asOf}:${key}:k${Buffer.from(id).toString('base64url')}`

/** Reads `?per_page=` (or `limit=`). */
export function readLimit(search: URLSearchParams, usual: number): number | Response {
  const name = search.get('per_page') ? 'per_page' : 'limit'
  return readCount(search, name, { usual, max: maxLimit })
}

export const wrongCursor = (): Response =>
  apiError(400, 'cursor takes one from the Link header of another page of this list.')

/** One page of a list. `rows` has one more row than the limit if there is a next page. */
export function pageResponse<Row>(request: Request, page: ApiPage, rows: readonly Row[]): Response {
  return cursorResponse(request, rows.slice(0, page.limit), pageCursors(page, rows.length > page.limit))
}

/** The same of a list whose pages begin after a row. */
export function keyedResponse<Row>(
  request: Request,
  page: ApiPage,
  rows: readonly Row[],
  { keyOf, serialize }: { keyOf: (row: Row) => RowKey; serialize: (rows: Row[]) => readonly unknown[] },
): Response {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const cursors = pageCursors(page, rows.length > page.limit, last === undefined ? null : keyOf(last))
  return cursorResponse(request, serialize(shown), cursors)
}

/** The rows after the page before, of a list that is sorted in memory, and one more than the limit. */
export function rowsAfter<Row>(
  rows: readonly Row[],
  { after, limit }: ApiPage,
  isAfter: (row: Row, after: RowKey & { key: number }) => boolean,
): Row[] {
  const { key, id } = after ?? { key: null, id: '' }
  const rest = key === null ? rows : rows.filter(row => isAfter(row, { key, id }))
  return rest.slice(0, limit + 1)
}

/** One page of a list that is read as a whole. */
export function listResponse<Row>(
  request: Request,
  search: URLSearchParams,
  all: readonly Row[],
  { idOf, serialize }: { idOf: (row: Row) => string; serialize: (row: Row) => unknown },
): Response {
  const page = readPage(search, { isKeyed: true })
  if (page instanceof Response) return page
  const from = startOf(all, page, idOf)
  const rows = all.slice(from, from + page.limit + 1)
  return keyedResponse(request, page, rows, {
    keyOf: row => ({ key: from + rows.indexOf(row), id: idOf(row) }),
    serialize: shown => shown.map(serialize),
  })
}

/** After the last row of the page before, wherever it stands now; if it is gone, where it stood. */
export function startOf<Row>(all: readonly Row[], { offset, after }: ApiPage, idOf: (row: Row) => string): number {
  if (after === undefined) return offset
  const stood = Math.max(0, after.key ?? 0)
  const known = all[stood]
  if (known !== undefined && idOf(known) === after.id) return stood + 1
  const at = all.findIndex(row => idOf(row) === after.id)
  return at === -1 ? stood : at + 1
}

/** `last`: the last row of the page, if the next one begins after it. */
export function pageCursors(
  { offset, limit, asOf = 0 }: ApiPage,
  hasMore: boolean,
  last: RowKey | null = null,
): Cursors {
  if (last !== null)
    return {
      previous: { hasResults: false, cursor: '0:0:1' },
      next: { hasResults: hasMore, cursor: writeKeyCursor(asOf, last) },
    }
  return {
    previous: { hasResults: offset > 0, cursor: `${asOf}:${Math.max(0, offset - limit)}:1` },
    next: { hasResults: hasMore, cursor: `${asOf}:${offset + limit}:0` },
  }
}

type Cursor = { hasResults: boolean; cursor: string }
type Cursors = { previous: Cursor; next: Cursor }

/** Tools read the cursor from the `Link` header and send it back unchanged. */
export function cursorResponse(request: Request, body: unknown, { previous, next }: Cursors): Response {
  const links = [link(request, 'previous', previous), link(request, 'next', next)].join(', ')
  return Response.json(body, { headers: { Link: links, 'Cache-Control': 'no-store' } })
}

function link(request: Request, rel: 'previous' | 'next', { hasResults, cursor }: Cursor): string {
  const { pathname, searchParams } = new URL(request.url)
  searchParams.set('cursor', cursor)
  const url = `${publicOrigin(request)}${pathname.replace(/\/?$/, '/')}?${searchParams}`
  return `<${url}>; rel="${rel}"; results="${hasResults}"; cursor="${cursor}"`
}

/** Reads a whole number above 0 from a query parameter, capped at `max`. Returns `usual` without one, and a 400 for anything else. */
export function readCount(
  search: URLSearchParams,
  name: string,
  { usual, max }: { usual: number; max: number },
): number | Response {
  const text = search.get(name) ?? ''
  if (text === '') return usual
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Math.min(Number(text), max)
  return apiError(400, `${name} takes a whole number above 0, not ${JSON.stringify(clipText(text, 100))}.`)
}

/**
 * The URL at which the client reaches Hydrant: the configured one, else the host of the request, because `localhost` would be another
 * machine for a remote build.
 */
export function publicOrigin(request: Request): string {
  const { publicUrl, port } = getRuntime().config
  const host = request.headers.get('x-forwarded-host')
  if (publicUrl !== `http://localhost:${port}` || !host) return publicUrl
  return `${request.headers.get('x-forwarded-proto') ?? 'http'}://${host}`
}
