import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { cellSql } from '#domain/events/log-term.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { type LogCursor, type LogFilter, type LogRange, logRange, logScope } from './log-condition.ts'
import { type LogLine, lineColumns, lineRow } from './log-line.ts'

const cells = z.object({ cells: z.array(z.string()) })

/** `cells` are the values of the chosen columns. */
export type ListedLine = LogLine & { cells: string[] }
export type LogPage = { lines: ListedLine[]; next: LogCursor | null }

/** Two screens of them. What the server draws is most of what a page costs; a list that is scrolled reads more at once. */
export const linesPerPage = 50

/**
 * The newest lines that match, in the order of their own times; lines of one microsecond are ordered by the sequence of the SDK. Paged by
 * keyset under the upper time of the first page.
 */
export async function listLogs(
  viewer: Viewer,
  filter: LogFilter,
  { columns = [], limit = linesPerPage }: { columns?: readonly string[]; limit?: number } = {},
): Promise<LogPage> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const range = logRange(viewer, filter)
  const newest = filter.after ? Math.floor(filter.after.atUs / 1_000) + 1 : range.to
  const lines: ListedLine[] = []
  for (const window of windowsOf({ from: range.from, to: Math.min(range.to, newest) })) {
    const found = await readWindow(viewer, { ...filter, terms }, window, columns, limit + 1 - lines.length)
    lines.push(...found)
    if (lines.length > limit) break
  }
  const page = lines.slice(0, limit)
  const last = lines.length > limit ? page.at(-1) : undefined
  return {
    lines: page,
    next: last ? { to: range.to, atUs: last.atUs, sequence: last.sequence, id: last.id } : null,
  }
}

/** The last 64th of a range, the last eighth without it, the rest. */
const shares = [1 / 64, 1 / 8, 1]

/**
 * The newest lines are usually found in a small part of the range. All of them together read each line once, so a search that finds
 * little costs no more than the whole range.
 */
export function windowsOf({ from, to }: LogRange): LogRange[] {
  const starts = shares.map(share => (share === 1 ? from : Math.floor(to - (to - from) * share)))
  return starts
    .map((start, index) => ({ from: start, to: index === 0 ? to : (starts[index - 1] ?? to) }))
    .filter(window => window.from < window.to)
}

async function readWindow(
  viewer: Viewer,
  filter: LogFilter,
  window: LogRange,
  columns: readonly string[],
  limit: number,
): Promise<ListedLine[]> {
  const { params, bind } = boundParams()
  const where = logScope(filter, window, bind)
  const { after } = filter
  const beyond = after
    ? ` AND (timestamp, sequence, log_id) < (fromUnixTimestamp64Micro(${bind(after.atUs, 'Int64')}), ${bind(after.sequence, 'UInt32')}, ${bind(asUuid(after.id), 'UUID')})`
    : ''
  return viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT ${lineColumns}, CAST([${columns.map(key => cellSql(key, bind)).join(', ')}], 'Array(String)') AS cells
      FROM logs WHERE ${where}${beyond}
      ORDER BY timestamp DESC, sequence DESC, log_id DESC
      LIMIT ${bind(limit, 'UInt32')}`,
    params,
    schema: lineRow.and(cells),
  })
}
