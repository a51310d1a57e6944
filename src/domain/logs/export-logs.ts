import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { plainUuid, spanIdOf } from '#domain/events/read-columns.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { type LogFilter, type LogRange, logRange, logScope } from './log-condition.ts'

const none = /^[0-]*$/
const id = z.string().transform(text => (none.test(text) ? '' : plainUuid(text)))

const row = z.object({
  project_id: z.coerce.number(),
  at_us: z.coerce.number(),
  sequence: z.coerce.number(),
  line: z.string().transform(plainUuid),
  level: z.string(),
  body: z.string(),
  template: z.string(),
  route: z.string(),
  release: z.string(),
  environment: z.string(),
  server_name: z.string(),
  user_id: z.string(),
  trace: id,
  span_id: z.string().transform(spanIdOf),
  replay: id,
  attributes: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
  /** Lines of the page before it was cut to `pageBytes`. */
  found: z.coerce.number(),
})
type Row = z.output<typeof row>

/** A line with everything that is stored of it, under the names of the search. */
export type ExportedLine = {
  timestamp: string
  level: string
  project: string
  message: string
  template: string
  route: string
  release: string
  environment: string
  server_name: string
  'user.id': string
  trace: string
  span: string
  replay: string
  attributes: Record<string, string | number>
}

/** `pageBytes` bounds memory: a line may have a megabyte of attributes. A page has at least one line. */
export const exportLimits = { lines: 1_000_000, pageLines: 2_000, pageBytes: 8 * 1024 * 1024 }
type Limits = typeof exportLimits

/** How an export ended: with more matching lines than it may have, or not. */
export type ExportEnd = { hasMore: boolean }

/**
 * Yields the matching lines, newest first, one page at a time. It queries the engine for the next page when the consumer asks for it.
 * It skips lines that arrive in the meantime unless they are older than the lines already read.
 */
export async function* readLogExport(
  viewer: Viewer,
  filter: LogFilter,
  limits: Limits = exportLimits,
): AsyncGenerator<ExportedLine[], ExportEnd> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const range = logRange(viewer, filter)
  const slugs = new Map(viewer.projects.map(({ id: projectId, slug }) => [projectId, slug]))
  let { to } = range
  let widthMs = Math.ceil((to - range.from) / 64)
  let last: Row | null = null
  let left = limits.lines
  while (to > range.from) {
    const from = Math.max(range.from, to - widthMs)
    const most = Math.min(limits.pageLines, left + 1)
    const rows = await readPage(viewer, { ...filter, terms }, { from, to }, last, {
      lines: most,
      bytes: limits.pageBytes,
    })
    const page = rows.slice(0, left)
    if (page.length > 0) yield page.map(each => toLine(each, slugs.get(each.project_id) ?? ''))
    if (rows.length > left) return { hasMore: true }
    left -= rows.length
    last = rows.at(-1) ?? last
    if (rows.length === most || rows.length < (rows[0]?.found ?? 0)) {
      // The window has more. The next one is as wide as four such pages, so that few lines are read in vain.
      const reached = last ? Math.floor(last.at_us / 1_000) + 1 : to
      widthMs = Math.max(leastWidthMs, 4 * (to - reached))
      to = Math.min(to, reached)
    } else {
      to = from
      widthMs *= 4
    }
  }
  return { hasMore: false }
}

const leastWidthMs = 10

/** Aliases differ from the names of the columns: the engine reads an alias also in the conditions, where a text is not an id. */
function readPage(
  viewer: Viewer,
  filter: LogFilter,
  window: LogRange,
  last: Row | null,
  most: { lines: number; bytes: number },
): Promise<Row[]> {
  const { params, bind } = boundParams()
  const where = logScope(filter, window, bind)
  const beyond = last
    ? ` AND (timestamp, sequence, log_id) < (fromUnixTimestamp64Micro(${bind(last.at_us, 'Int64')}), ${bind(last.sequence, 'UInt32')}, ${bind(asUuid(last.line), 'UUID')})`
    : ''
  return viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT project_id, toUnixTimestamp64Micro(timestamp) AS at_us, sequence, toString(log_id) AS line, level, body, template, route,
        release, environment, server_name, user_id, toString(trace_id) AS trace, span_id, toString(replay_id) AS replay,
        attributes, numbers, found
      FROM (
        SELECT *, count() OVER () AS found,
          sum(bytes) OVER (ORDER BY timestamp DESC, sequence DESC, log_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - bytes AS bytes_before
        FROM (
          SELECT project_id, timestamp, sequence, log_id, level, body, template, route, release, environment, server_name, user_id,
            trace_id, span_id, replay_id, attributes, numbers, byteSize(body, template, attributes, numbers) AS bytes
          FROM logs WHERE ${where}${beyond}
          ORDER BY timestamp DESC, sequence DESC, log_id DESC
          LIMIT ${bind(most.lines, 'UInt32')}))
      WHERE bytes_before < ${bind(most.bytes, 'UInt64')}
      ORDER BY timestamp DESC, sequence DESC, log_id DESC
      LIMIT ${bind(most.lines, 'UInt32')}`,
    params,
    schema: row,
  })
}

/** The time keeps its microseconds. */
const toLine = (each: Row, project: string): ExportedLine => ({
  timestamp: `${new Date(Math.floor(each.at_us / 1_000)).toISOString().slice(0, -1)}${String(each.at_us % 1_000).padStart(3, '0')}Z`,
  level: each.level,
  project,
  message: each.body,
  template: each.template,
  route: each.route,
  release: each.release,
  environment: each.environment,
  server_name: each.server_name,
  'user.id': each.user_id,
  trace: each.trace,
  span: each.span_id,
  replay: each.replay,
  attributes: { ...each.attributes, ...each.numbers },
})

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Spreadsheets run a cell that begins like this; an apostrophe makes it text. Numbers may begin with a minus. */
const formula = /^[\s]*[=+\-@＝＋－＠\t\r]/
const number = /^-?\d{1,17}(?:\.\d{1,17})?$/

function csvCell(value: string | number): string {
  const text = String(value)
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
