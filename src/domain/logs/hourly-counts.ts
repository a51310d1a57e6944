/**
 * Counts over days, from the counts by hour that the table has beside its lines (0079). They know the fields of the logs page and nothing
 * else of a line; what a range has of its first and last hour is counted line by line, so the sums are the same.
 */
import type { Bind } from '#domain/events/event-condition.ts'
import { leavesOf, type SearchTerm } from '#search/search-term.ts'
import { hourSql, type LogFilter, type LogRange, logScope } from './log-condition.ts'

const hourMs = 3_600_000
/** Shorter ranges have steps of less than an hour, and fewer lines. */
const shortestMs = 3 * 24 * hourMs
const mostSteps = 62

const fields = ['level', 'route', 'release', 'environment', 'server_name']
const columns = [...fields, 'sdk_name']
/** The side follows from two of the columns. */
const facets = new Set([...fields, 'side'])
const searched = new Set([...facets, 'project'])

/** Whether the counts by hour tell how many lines of a search there are, for these facets. */
export const isCountedByHour = (
  terms: readonly SearchTerm[],
  keys: readonly string[],
  { from, to }: LogRange,
): boolean =>
  to - from >= shortestMs &&
  keys.every(key => facets.has(key)) &&
  leavesOf(terms).every(term => term.kind === 'field' && searched.has(term.key))

/** Steps of whole hours; the first begins with the hour in which the range does. */
export function hourlySteps({ from, to }: LogRange): { from: number; stepMs: number } {
  const first = Math.floor(from / hourMs) * hourMs
  return { from: first, stepMs: Math.ceil((to - first) / mostSteps / hourMs) * hourMs }
}

/** Rows of `timestamp`, the columns above and `weight`, like those of `logs`, for the lines of a range. */
export function hourlyLines(
  filter: Pick<LogFilter, 'terms' | 'environment'>,
  { from, to }: LogRange,
  bind: Bind,
): string {
  const first = Math.ceil(from / hourMs) * hourMs
  const last = Math.floor(to / hourMs) * hourMs
  const parts = [
    logScope(filter, { from: first, to: last }, bind, hourSql),
    ...(from < first ? [logScope(filter, { from, to: first }, bind)] : []),
    ...(last < to ? [logScope(filter, { from: last, to }, bind)] : []),
  ]
  const read = (where: string) =>
    `SELECT ${hourSql} AS hour, ${columns.join(', ')}, sum(weight) AS lines FROM logs WHERE ${where} GROUP BY hour, ${columns.join(', ')}`
  return `(SELECT toDateTime64(hour, 3, 'UTC') AS timestamp, ${columns.join(', ')}, lines AS weight FROM (${parts.map(read).join(' UNION ALL ')}))`
}
