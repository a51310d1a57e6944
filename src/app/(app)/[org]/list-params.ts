/** What the addresses of the issue list and of the span list have in common. */
import { z } from 'zod'
import { keptScope, readScopeParams, type ScopeParams } from './scope-params.ts'

export type ListParams<Sort extends string, Cursor> = ScopeParams & {
  q: string
  sort: Sort
  after: Cursor | undefined
}

type List<Sort extends string, Cursor> = {
  defaultQuery: string
  /** The first of them is that of the plain list. */
  sorts: readonly [Sort, ...Sort[]]
  parseCursor: (text: string) => Cursor | undefined
}

const plainRange = '24h'
const one = z.string().optional().catch(undefined)

/** Nonsense in the address is left out, never an error. A search that cannot be read is kept: the page explains it. */
export function createParamsReader<Sort extends string, Cursor>({
  defaultQuery,
  sorts,
  parseCursor,
}: List<Sort, Cursor>): (raw: Record<string, unknown>) => ListParams<Sort, Cursor> {
  const params = z.object({
    q: z.string().max(4_000).default(defaultQuery).catch(defaultQuery),
    sort: one,
    after: one,
  })
  return raw => {
    const { q, sort, after } = params.parse(raw)
    return {
      ...readScopeParams(raw, plainRange),
      q: q.trim(),
      sort: sorts.find(name => name === sort) ?? sorts[0],
      after: after === undefined ? undefined : parseCursor(after),
    }
  }
}

/** All but the search and the place in the list. */
export const keptListParams = (params: ListParams<string, unknown>, plainSort: string): Record<string, string> => ({
  ...keptScope(params, plainRange),
  ...(params.sort === plainSort ? {} : { sort: params.sort }),
})
