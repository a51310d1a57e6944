import { getRuntime } from '#runtime.ts'

/** Where a list begins and how much of it is asked for. Ask the store for `limit + 1`, to know whether there is more. */
export type ApiPage = {
  offset: number
  limit: number
  /** When the first page was asked for, where what arrives since would move the later ones. */
  asOf?: number
}

const maxLimit = 100
const maxOffset = 100_000 // further than any tool pages, and as far as an offset may cost

/** From `?per_page=` (or `limit=`) and `?cursor=0:100:0`, as tools send them. */
export function readPage(search: URLSearchParams, defaultLimit = maxLimit): ApiPage {
  const limit = readCount(search.get('per_page') ?? search.get('limit'), { usual: defaultLimit, most: maxLimit })
  const [, asOf = '0', offset = '0'] = /^(\d{1,15}):(\d{1,9}):[01]$/.exec(search.get('cursor') ?? '') ?? []
  return { offset: Math.min(Number(offset), maxOffset), limit, ...(asOf === '0' ? {} : { asOf: Number(asOf) }) }
}

/** The answer to a list: `rows` holds one more than the page asks for where there is a next one. */
export function pageResponse<Row>(request: Request, page: ApiPage, rows: readonly Row[]): Response {
  return cursorResponse(request, rows.slice(0, page.limit), pageCursors(page, rows.length > page.limit))
}

export function pageCursors({ offset, limit, asOf = 0 }: ApiPage, hasMore: boolean): Cursors {
  return {
    previous: { hasResults: offset > 0, cursor: `${asOf}:${Math.max(0, offset - limit)}:1` },
    next: { hasResults: hasMore, cursor: `${asOf}:${offset + limit}:0` },
  }
}

type Cursor = { hasResults: boolean; cursor: string }
type Cursors = { previous: Cursor; next: Cursor }

/** Tools look for the cursor in the header and send it back as they found it. */
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

/**
 * A whole number from a query parameter, cut to `most`. `usual` where it is missing, not a number, or less than one: tools send what
 * they like, and a list of the usual length serves them better than an error.
 */
export function readCount(text: string | null, { usual, most }: { usual: number; most: number }): number {
  const wanted = Number(text ?? usual)
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, most) : usual
}

/**
 * Where the asking tool reaches us. A configured address wins; without one it is the address that the tool itself has used, because
 * `localhost` would be another machine for a build that runs elsewhere.
 */
export function publicOrigin(request: Request): string {
  const { publicUrl, port } = getRuntime().config
  const host = request.headers.get('x-forwarded-host')
  if (publicUrl !== `http://localhost:${port}` || !host) return publicUrl
  return `${request.headers.get('x-forwarded-proto') ?? 'http'}://${host}`
}
