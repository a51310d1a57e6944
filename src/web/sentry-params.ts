/** The parameters of Sentry's pages as those of ours. */

import { clipText } from '#lib/text.ts'
import { fieldTables } from '#search/field-tables.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { type FieldTerm, fieldTerm, formatSearch } from '#search/search-term.ts'
import { sentrySorts } from '#search/sentry-words.ts'

const hourMs = 3_600_000
const ranges = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs, '90d': 2_160 * hourMs }
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: hourMs, d: 24 * hourMs, w: 168 * hourMs }
const lists = {
  issues: { table: fieldTables.issues, defaultQuery: 'is:unresolved' },
  traces: { table: fieldTables.spans, defaultQuery: 'is:segment' },
  logs: { table: fieldTables.logs, defaultQuery: '' },
}

/** A list's query string. Our lists take one environment: several become a part of the search. */
export function listQuery(page: keyof typeof lists, search: URLSearchParams, now: number): string {
  const environments = search.getAll('environment').filter(name => name !== '')
  const extra = environments.length > 1 ? [fieldTerm('environment', environments)] : []
  const query = search.get('query')
  const sort = page === 'issues' ? ownSort(search.get('sort')) : null
  const kept = new URLSearchParams({
    ...(query === null && extra.length === 0 ? {} : { q: addTerms(page, query, extra) }),
    ...scopeParams(search, now, '24h'),
    ...(sort === null || sort === 'urgency' ? {} : { sort }),
  })
  return queryString(kept)
}

/** Projects, environment and time of a page whose searches are not Sentry's. `plain` is the range that it has without any, `text` is what it searches for. */
export const scopeQuery = (search: URLSearchParams, now: number, plain: string, text: string | null = null): string =>
  queryString(new URLSearchParams({ ...(text ? { q: clipText(text, 250) } : {}), ...scopeParams(search, now, plain) }))

function scopeParams(search: URLSearchParams, now: number, plain: string): Record<string, string> {
  const projects = search.getAll('project').filter(project => project !== '-1' && project !== '')
  const environments = search.getAll('environment').filter(name => name !== '')
  return {
    ...(projects.length === 0 ? {} : { project: projects.join(',') }),
    ...(environments.length === 1 ? { env: environments[0] ?? '' } : {}),
    ...timeParams(search, now, plain),
  }
}

/** The parameters of an issue's page: which events it shows. */
export function eventFilter(search: URLSearchParams, now: number): string {
  const [query, environment] = [search.get('query'), search.get('environment')]
  return queryString(
    new URLSearchParams({
      ...(environment ? { env: environment } : {}),
      ...timeParams(search, now, null),
      ...(query ? { query } : {}),
    }),
  )
}

/** Both ends of a time, or the shortest range of the time picker that covers it. `plain` needs no parameter. */
function timeParams(search: URLSearchParams, now: number, plain: string | null): Record<string, string> {
  const [start, end] = [readTime(search, 'start'), readTime(search, 'end')]
  if (start !== null && end !== null) return { start: String(start), end: String(end) }
  const rangeMs = start === null ? readPeriod(search.get('statsPeriod')) : now - start
  const range = rangeMs === null ? null : rangeOf(rangeMs)
  return range === null || range === plain ? {} : { range }
}

const queryString = (search: URLSearchParams): string => (search.size > 0 ? `?${search}` : '')

function addTerms(page: keyof typeof lists, query: string | null, extra: readonly FieldTerm[]): string {
  const { table, defaultQuery } = lists[page]
  const typed = query ?? defaultQuery
  if (extra.length === 0) return typed
  const parsed = parseSearch(typed, languageOf(table))
  // The page explains what is wrong with it.
  return parsed.ok ? formatSearch([...parsed.terms, ...extra]) : `${typed} ${formatSearch(extra)}`
}

/** Sentry writes times in UTC without saying so. */
function readTime(search: URLSearchParams, name: string): number | null {
  const text = search.get(name) ?? ''
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,12})?(?:Z|[+-]\d{2}:\d{2})?$/.test(text)) return null
  const at = Date.parse(text.length > 10 && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text)
  return Number.isNaN(at) ? null : at
}

function readPeriod(text: string | null): number | null {
  const match = /^(\d{1,4})([smhdw])$/.exec(text ?? '')
  return match ? Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0) : null
}

/** The shortest range of the time picker that covers it. */
const rangeOf = (ms: number): string => Object.entries(ranges).find(([, length]) => length >= ms)?.[0] ?? '90d'

const ownSort = (name: string | null): string | null =>
  name !== null && Object.hasOwn(sentrySorts, name) ? (sentrySorts[name] ?? null) : null
