import type { Bind } from '../issue-list/bound-params.ts'
import { projectIds } from '../project-ids.ts'
import type { Viewer } from '../viewer.ts'
import { spanCondition } from './span-condition.ts'
import type { SpanFilter } from './span-filter.ts'

/**
 * The spans a question is about: the viewer's projects first, then the time, then what was searched for. A request counts once: left
 * out are the SDK's own requests and the nameless double that Next makes of one that passes middleware; and, unless the search asks
 * for them, middleware and what was fetched before anybody wanted it.
 */
export function spanScope(viewer: Viewer, filter: SpanFilter, bind: Bind): { where: string; from: number; to: number } {
  const all = projectIds(viewer)
  const chosen = filter.projectIds === undefined ? all : all.filter(id => filter.projectIds?.includes(id))
  const to = filter.after?.to ?? viewer.now
  const from = to - filter.rangeMs
  const where = [
    `project_id IN ${bind(chosen.length === 0 ? [0] : chosen, 'Array(UInt64)')}`,
    `timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    `timestamp <= fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
    'NOT is_sdk_transport',
    `NOT (is_segment AND route = '' AND segment_source = 'custom' AND match(name, '^(RSC )?[A-Z]{3,7}$'))`,
    ...(asks(filter, 'op', 'place', 'name') ? [] : [`NOT (is_segment AND startsWith(op, 'middleware'))`]),
    ...(asksForPrefetch(filter) ? [] : ['NOT is_prefetch']),
    ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
    ...filter.terms.map(term => spanCondition(term, bind)),
  ].join(' AND ')
  return { where, from, to }
}

const asks = ({ terms }: SpanFilter, ...keys: string[]): boolean =>
  terms.some(term => term.kind === 'field' && keys.includes(term.key))

const asksForPrefetch = ({ terms }: SpanFilter): boolean =>
  terms.some(
    term => term.kind === 'field' && term.key === 'is' && term.values.some(({ parts }) => parts[0] === 'prefetch'),
  )
