import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { bindArray, boundParams } from '#domain/events/event-condition.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { formerPattern, patternId, patternText } from '../line-pattern.ts'
import { type LogFilter, logRange, logScope } from '../log-condition.ts'
import { joinPatterns } from './join-patterns.ts'

const steps = 24
const exampleChars = 1_000
const maxPatterns = 500 // ids in a query; beyond them are patterns of a line or two

const row = z.object({
  id: z.string(),
  template: z.string(),
  example: z.string(),
  level: z.string(),
  lines: z.coerce.number(),
  last: z.coerce.number(),
  steps: z.array(z.coerce.number()),
  counts: z.array(z.coerce.number()),
  total: z.coerce.number(),
  distinct: z.coerce.number(),
})
type Row = z.output<typeof row>
/** `formerId` is the id of such lines before messages of JSON were read; '' if it has not changed. */
type NamedRow = Row & { text: string; formerId: string }

export type LogPattern = {
  /** Those that it was joined from, the most frequent first. */
  ids: string[]
  text: string
  /** The most severe of its lines. */
  level: string
  count: number
  /** In the time of the same length before. */
  countBefore: number
  lastAt: number
  trend: number[]
  /** No line had it before a release, within the week before, as far as the stored patterns tell. */
  isNew: boolean
}

export type LogPatterns = {
  patterns: LogPattern[]
  /** Lines that match, and their patterns before any were joined. */
  total: number
  distinct: number
  /** Lines that were stored before patterns were counted. */
  older: number
}

/** A release, and when it reached users. */
export type Since = { release: string; at: number }
const weekMs = 7 * 86_400_000

/** The patterns of the matching lines, the most frequent first. Counts are exact: every stored line has the id of its pattern. */
export async function listPatterns(viewer: Viewer, filter: LogFilter, since: Since | null): Promise<LogPatterns> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const resolved = { ...filter, terms }
  const range = logRange(viewer, filter)
  const rows = await nameRows(viewer, resolved, range, await readPatterns(viewer, resolved, range))
  const ids = rows.map(({ id }) => id)
  const formerIds = rows.map(({ formerId }) => formerId).filter(Boolean)
  const [before, known, older] = await Promise.all([
    countIn(viewer, resolved, { from: range.from - (range.to - range.from), to: range.from }, ids),
    since
      ? countIn(viewer, { ...filter, terms: [] }, { from: since.at - weekMs, to: since.at }, [...ids, ...formerIds])
      : null,
    countOlder(viewer, resolved, range),
  ])
  const joined = [
    ...rows.filter(({ template }) => template !== '').map(each => ({ text: each.text, items: [each] })),
    ...joinPatterns(
      rows.filter(({ template }) => template === ''),
      ({ text }) => text,
    ),
  ]
  return {
    patterns: joined
      .map(({ text, items }) => toPattern(text, items, before, known))
      .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1)),
    total: Math.round(rows[0]?.total ?? 0),
    distinct: rows[0]?.distinct ?? 0,
    older,
  }
}

/** Lines keep the pattern with which they were stored, and its words. */
async function nameRows(viewer: Viewer, filter: LogFilter, range: Range, rows: readonly Row[]): Promise<NamedRow[]> {
  const cut = rows.filter(
    ({ template, example }) => template === '' && example.startsWith('{') && example.length >= exampleChars,
  )
  const whole = await readWhole(
    viewer,
    filter,
    range,
    cut.map(({ id }) => id),
  )
  return rows.map(each => {
    const line = { template: each.template, body: whole.get(each.id) ?? each.example }
    const former = formerPattern(line)
    if (former === null || patternId(line) === each.id)
      return { ...each, text: patternText(line), formerId: former?.id ?? '' }
    return { ...each, text: former.text, formerId: '' }
  })
}

function toPattern(
  text: string,
  items: readonly NamedRow[],
  before: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, number> | null,
): LogPattern {
  const trend = new Array<number>(steps).fill(0)
  for (const { steps: at, counts } of items)
    for (const [index, step] of at.entries()) {
      const place = Math.min(step, steps - 1)
      trend[place] = (trend[place] ?? 0) + (counts[index] ?? 0)
    }
  const severe = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']
  return {
    ids: items.map(({ id }) => id),
    text,
    level: severe.find(level => items.some(each => each.level === level)) ?? 'info',
    count: Math.round(items.reduce((sum, { lines }) => sum + lines, 0)),
    countBefore: Math.round(items.reduce((sum, { id }) => sum + (before.get(id) ?? 0), 0)),
    lastAt: Math.max(...items.map(({ last }) => last)),
    trend,
    isNew: known !== null && items.every(({ id, formerId }) => !known.has(id) && !known.has(formerId)),
  }
}

type Range = { from: number; to: number }
const idSql = `leftPad(lower(hex(pattern)), 16, '0')`

function readPatterns(viewer: Viewer, filter: LogFilter, range: Range): Promise<Row[]> {
  const { params, bind } = boundParams()
  const where = logScope(filter, range, bind)
  const stepMs = Math.max(1, Math.ceil((range.to - range.from) / steps))
  return viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT ${idSql} AS id, any(template_of) AS template, argMax(example_of, last_of) AS example, argMax(level_of, severity_of) AS level,
        sum(n) AS lines, max(last_of) AS last, groupArray(step) AS steps, groupArray(n) AS counts,
        sum(sum(n)) OVER () AS total, count() OVER () AS distinct
      FROM (
        SELECT pattern, intDiv(toUnixTimestamp64Milli(timestamp) - ${bind(range.from, 'Int64')}, ${bind(stepMs, 'Int64')}) AS step,
          any(template) AS template_of, any(substringUTF8(body, 1, ${exampleChars})) AS example_of, argMax(level, severity) AS level_of,
          max(severity) AS severity_of, sum(weight) AS n, toUnixTimestamp64Milli(max(timestamp)) AS last_of
        FROM logs WHERE ${where} AND pattern != 0
        GROUP BY pattern, step
      )
      GROUP BY pattern
      ORDER BY lines DESC, id
      LIMIT ${maxPatterns}`,
    params,
    schema: row,
  })
}

const wholeRow = z.object({ id: z.string(), whole: z.string() })

/** A whole line of each pattern: a logger may write its message after a thousand characters of JSON. */
async function readWhole(
  viewer: Viewer,
  filter: LogFilter,
  range: Range,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { params, bind } = boundParams()
  const where = logScope(filter, range, bind)
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `SELECT ${idSql} AS id, argMax(body, timestamp) AS whole FROM logs
            WHERE ${where} AND has(${bindArray(ids, 'String', bind)}, ${idSql})
            GROUP BY pattern LIMIT ${maxPatterns}`,
    params,
    schema: wholeRow,
  })
  return new Map(rows.map(({ id, whole }) => [id, whole]))
}

const counted = z.object({ id: z.string(), lines: z.coerce.number() })

/** How many lines of these patterns there are in another time. */
async function countIn(
  viewer: Viewer,
  filter: LogFilter,
  range: Range,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { params, bind } = boundParams()
  const where = logScope(filter, range, bind)
  const wanted = bindArray(ids, 'String', bind)
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `SELECT ${idSql} AS id, sum(weight) AS lines FROM logs WHERE ${where} AND has(${wanted}, ${idSql})
            GROUP BY pattern LIMIT ${maxPatterns}`,
    params,
    schema: counted,
  })
  return new Map(rows.map(({ id, lines }) => [id, lines]))
}

async function countOlder(viewer: Viewer, filter: LogFilter, range: Range): Promise<number> {
  const { params, bind } = boundParams()
  const where = logScope(filter, range, bind)
  const [found] = await viewer.telemetry.within(filter.projectIds).query({
    query: `SELECT sum(weight) AS lines FROM logs WHERE ${where} AND pattern = 0 LIMIT 1`,
    params,
    schema: z.object({ lines: z.coerce.number() }),
  })
  return Math.round(found?.lines ?? 0)
}
