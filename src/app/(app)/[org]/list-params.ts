/** What the addresses of the issue list and of the span list have in common. */
import { z } from 'zod'
import type { RangeName } from './ranges.ts'

export type ListParams<Sort extends string, Cursor> = {
  q: string
  projects: string[]
  environment: string | undefined
  range: RangeName
  sort: Sort
  after: Cursor | undefined
}

type List<Sort extends string, Cursor> = {
  defaultQuery: string
  /** The first of them is that of the plain list. */
  sorts: readonly [Sort, ...Sort[]]
  parseCursor: (text: string) => Cursor | undefined
}

const one = z.string().optional().catch(undefined)

/** Nonsense in the address is left out, never an error. A search that cannot be read is kept: the page explains it. */
export function createParamsReader<Sort extends string, Cursor>({
  defaultQuery,
  sorts,
  parseCursor,
}: List<Sort, Cursor>): (raw: Record<string, unknown>) => ListParams<Sort, Cursor> {
  const params = z.object({
    q: z.string().max(4_000).default(defaultQuery).catch(defaultQuery),
    project: z
      .union([z.string(), z.array(z.string())])
      .default([])
      .catch([]),
    env: one,
    range: z.enum(['1h', '24h', '7d', '30d', '90d']).default('24h').catch('24h'),
    sort: one,
    after: one,
  })
  return raw => {
    const { q, project, env, range, sort, after } = params.parse(raw)
    const projects = [project]
      .flat()
      .flatMap(text => text.split(','))
      .filter(Boolean)
    return {
      q: q.trim(),
      projects: [...new Set(projects)],
      environment: env || undefined,
      range,
      sort: sorts.find(name => name === sort) ?? sorts[0],
      after: after === undefined ? undefined : parseCursor(after),
    }
  }
}

/** All but the search and the place in the list. Only what differs from the plain list is in its address. */
export const keptParams = (
  { projects, environment, range, sort }: ListParams<string, unknown>,
  plainSort: string,
): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...(range === '24h' ? {} : { range }),
  ...(sort === plainSort ? {} : { sort }),
})
