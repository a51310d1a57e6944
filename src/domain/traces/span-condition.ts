import type { Viewer } from '#domain/access/viewer.ts'
import { type Bind, termSql } from '#domain/events/event-condition.ts'
import { type ListFilter, rangeOf } from '#domain/events/list-filter.ts'
import { spanTermSql } from '#domain/events/span-term.ts'
import { countedOnce, notMiddleware, notPrefetch } from '#react/counted-requests.ts'
import { fieldsOf } from '#search/search-term.ts'

export const spanSorts = ['newest', 'slowest', 'failing'] as const
export type SpanSort = (typeof spanSorts)[number]

export type SpanFilter = ListFilter<SpanSort>

/**
 * A WHERE clause: the scope first, then the time range, then the search. Middleware and prefetches are left out, unless the search
 * names them.
 */
export function spanScope(
  { now }: Pick<Viewer, 'now'>,
  filter: ListFilter<string>,
  bind: Bind,
): { where: string; from: number; to: number } {
  const { from, to } = rangeOf(now, filter)
  const where = [
    '{scope}',
    `timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    `timestamp <= fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
    countedOnce,
    ...(hasKey(filter, 'op', 'side', 'name') ? [] : [notMiddleware]),
    ...(hasPrefetchTerm(filter) ? [] : [notPrefetch]),
    ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
    ...filter.terms.map(term => termSql(term, leaf => spanTermSql(leaf, bind))),
  ].join(' AND ')
  return { where, from, to }
}

const hasKey = ({ terms }: ListFilter<string>, ...keys: string[]): boolean =>
  fieldsOf(terms).some(({ key }) => keys.includes(key))

const hasPrefetchTerm = ({ terms }: ListFilter<string>): boolean =>
  fieldsOf(terms).some(({ key, values }) => key === 'is' && values.some(({ parts }) => parts[0] === 'prefetch'))
