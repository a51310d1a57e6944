/** The rows that a search of log lines reads: the scope, the time range and the terms. */
import type { Viewer } from '#domain/access/viewer.ts'
import { type Bind, termSql } from '#domain/events/event-condition.ts'
import type { ListFilter } from '#domain/events/list-filter.ts'
import { logTermSql } from '#domain/events/log-term.ts'

/** Where a page ended. `to` is the end of the first page's time range, which later pages keep; `atUs` is in microseconds. */
export type LogCursor = { to: number; atUs: number; sequence: number; id: string }

export type LogFilter = Omit<ListFilter<never, LogCursor>, 'sort'>

/** From a time to just before another, in milliseconds. */
export type LogRange = { from: number; to: number }

export function logRange({ now }: Pick<Viewer, 'now'>, filter: LogFilter): LogRange {
  const to = filter.after?.to ?? filter.to ?? now + 1
  return { from: to - filter.rangeMs, to }
}

/** The hour of a line: what the counts in the table's projection know of its time. */
export const hourSql = 'toStartOfHour(timestamp)'

/**
 * A WHERE clause: the scope first, then the time range, then the search. Terms must be resolved (resolve-terms.ts). With `hourSql` the
 * range must begin and end with an hour.
 */
export const logScope = (
  { terms, environment }: Pick<LogFilter, 'terms' | 'environment'>,
  { from, to }: LogRange,
  bind: Bind,
  time: 'timestamp' | typeof hourSql = 'timestamp',
): string =>
  [
    '{scope}',
    `${time} >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    `${time} < fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
    ...(environment === undefined ? [] : [`environment = ${bind(environment, 'String')}`]),
    ...terms.map(term => termSql(term, leaf => logTermSql(leaf, bind))),
  ].join(' AND ')
