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
  log_id: z.string(),
  level: z.string(),
  body: z.string(),
  template: z.string(),
  route: z.string(),
  release: z.string(),
  environment: z.string(),
  server_name: z.string(),
  user_id: z.string(),
  trace_id: id,
  span_id: z.string().transform(spanIdOf),
  replay_id: id,
  attributes: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
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

const pageLines = 2_000 // with full bodies, some megabytes
const maxLines = 1_000_000

/** The matching lines, newest first, a page at a time, up to a million. The engine is asked for the next page when somebody takes it. */
export function readLogExport(viewer: Viewer, filter: LogFilter): AsyncGenerator<ExportedLine[]> {
  return readPages(viewer, filter)
}

async function* readPages(viewer: Viewer, filter: LogFilter): AsyncGenerator<ExportedLine[]> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const range = logRange(viewer, filter)
  const slugs = new Map(viewer.projects.map(({ id: projectId, slug }) => [projectId, slug]))
  let last: Row | null = null
  for (let count = 0; count < maxLines; count += pageLines) {
    const rows = await readPage(viewer, { ...filter, terms }, range, last)
    if (rows.length > 0) yield rows.map(each => toLine(each, slugs.get(each.project_id) ?? ''))
    if (rows.length < pageLines) return
    last = rows.at(-1) ?? null
  }
}

function readPage(viewer: Viewer, filter: LogFilter, range: LogRange, last: Row | null): Promise<Row[]> {
  const { params, bind } = boundParams()
  const to = last ? Math.floor(last.at_us / 1_000) + 1 : range.to
  const where = logScope(filter, { from: range.from, to }, bind)
  const beyond = last
    ? ` AND (timestamp, sequence, log_id) < (fromUnixTimestamp64Micro(${bind(last.at_us, 'Int64')}), ${bind(last.sequence, 'UInt32')}, ${bind(asUuid(plainUuid(last.log_id)), 'UUID')})`
    : ''
  return viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT project_id, toUnixTimestamp64Micro(timestamp) AS at_us, sequence, toString(log_id) AS log_id, level, body, template, route,
        release, environment, server_name, user_id, toString(trace_id) AS trace_id, span_id, toString(replay_id) AS replay_id,
        attributes, numbers
      FROM logs WHERE ${where}${beyond}
      ORDER BY logs.timestamp DESC, logs.sequence DESC, logs.log_id DESC
      LIMIT ${pageLines}`,
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
  trace: each.trace_id,
  span: each.span_id,
  replay: each.replay_id,
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
