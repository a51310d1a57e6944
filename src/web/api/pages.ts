import { publicOrigin } from './public-origin.ts'

/** Where a list begins and how much of it is asked for. Ask the store for `limit + 1`, to know whether there is more. */
export type ApiPage = { offset: number; limit: number }

const maxLimit = 100
const maxOffset = 100_000 // further than any tool pages, and as far as an offset may cost

/** From `?per_page=` (or `limit=`) and `?cursor=0:100:0`, as tools send them. */
export function readPage(search: URLSearchParams, defaultLimit = maxLimit): ApiPage {
  const wanted = Number(search.get('per_page') ?? search.get('limit') ?? defaultLimit)
  const limit = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, maxLimit) : defaultLimit
  const offset = Number(/^\d+:(\d{1,9}):[01]$/.exec(search.get('cursor') ?? '')?.[1] ?? 0)
  return { offset: Math.min(offset, maxOffset), limit }
}

/** The answer to a list: `rows` holds one more than the page asks for where there is a next one. */
export function answerPage<Row>(request: Request, page: ApiPage, rows: readonly Row[]): Response {
  const { offset, limit } = page
  const previous = link(request, 'previous', offset > 0, `0:${Math.max(0, offset - limit)}:1`)
  const next = link(request, 'next', rows.length > limit, `0:${offset + limit}:0`)
  return Response.json(rows.slice(0, limit), { headers: { Link: `${previous}, ${next}`, 'Cache-Control': 'no-store' } })
}

function link(request: Request, rel: 'previous' | 'next', hasResults: boolean, cursor: string): string {
  const { pathname, searchParams } = new URL(request.url)
  searchParams.set('cursor', cursor)
  const url = `${publicOrigin(request)}${pathname.replace(/\/?$/, '/')}?${searchParams}`
  return `<${url}>; rel="${rel}"; results="${hasResults}"; cursor="${cursor}"`
}
