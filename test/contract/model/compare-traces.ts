/** Traces: the list, its numbers and charts, and one trace. */

import type { KeyCursor } from '#domain/events/list-filter.ts'
import { readUuid } from '#domain/explore/read-value.ts'
import { countTrace, findTrace } from '#domain/traces/find-trace.ts'
import { listTraceSpans } from '#domain/traces/list-trace-spans.ts'
import { listTraces } from '#domain/traces/list-traces.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import { findUsualDuration } from '#domain/traces/read-segment-facts.ts'
import { type SpanFilter, type SpanSort, spanSorts } from '#domain/traces/span-condition.ts'
import { listLooseLogs, listTraceMarks } from '#domain/traces/trace-logs.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { spanFields } from '#search/span-fields.ts'
import { dayMs, hourMs, type ModelLog, type ModelVisit } from './generate.ts'
import { countBy, type Model, sum } from './report.ts'

type Span = ModelVisit['spans'][number] & { visit: ModelVisit }
export const spansOf = (visits: readonly ModelVisit[]): Span[] =>
  visits.flatMap(visit => visit.spans.map(span => ({ ...span, visit })))
/** Middleware and prefetches are left out, unless a search names them. */
export const isListed = ({ isSegment, visit }: Span): boolean =>
  !(isSegment && (visit.kind === 'middleware' || visit.kind === 'prefetch'))

const newest = ['newest'] as const

export async function compareTraces(model: Model): Promise<void> {
  const { now, visits, isWhole } = model
  const spans = spansOf(visits)
  const isFailedCart = (span: Span) => span.isSegment && span.visit.route === '/cart' && span.isFailed
  const week = 7 * dayMs
  const filters = [
    { query: '', rangeMs: hourMs, sorts: spanSorts, keep: isListed },
    { query: 'is:segment', rangeMs: week, sorts: newest, keep: (span: Span) => isListed(span) && span.isSegment },
    {
      query: 'is:prefetch',
      rangeMs: week,
      sorts: newest,
      keep: (span: Span) => span.isSegment && !isListed(span) && span.visit.kind === 'prefetch',
    },
    {
      query: 'route:/cart is:segment status:error',
      rangeMs: week,
      sorts: ['failing'] as const,
      keep: (span: Span) => isListed(span) && isFailedCart(span),
    },
    {
      query: 'op:db.query duration:>500ms',
      rangeMs: week,
      sorts: newest,
      keep: (span: Span) => span.op === 'db.query' && span.durationMs > 500,
    },
  ]
  for (const { query, rangeMs, sorts, keep } of isWhole ? filters : filters.slice(0, 1)) {
    const own = spans.filter(span => keep(span) && span.at >= now - rangeMs && span.at <= now)
    await compareList(model, { query, rangeMs, sorts }, own)
  }
  await compareSome(model)
}

type Listed = { query: string; rangeMs: number; sorts: readonly SpanSort[] }

async function compareList(
  { viewer, visits, report }: Model,
  { query, rangeMs, sorts }: Listed,
  own: readonly Span[],
): Promise<void> {
  const { same, quantile } = report
  const { terms } = parseSearch(query, languageOf(spanFields))
  const filter: SpanFilter = { terms, rangeMs, sort: 'newest' }
  const what = `spans of ${query || 'all'} in ${rangeMs / hourMs} h`
  const { whole, steps, estimate } = await measureSpans(viewer, filter)
  same(`count of ${what}`, whole.count, own.length)
  report.near(`estimate of ${what}`, estimate, sum(own.map(({ visit }) => 1 / visit.rate)), 1e-9)
  same(`failures of ${what}`, whole.failed, own.filter(({ isFailed }) => isFailed).length)
  same(`steps of ${what}`, sum(steps.map(step => step?.count ?? 0)), own.length)
  const durations = own.map(({ durationMs }) => durationMs * 1_000)
  for (const [level, shown] of [
    [0.5, whole.p50Us],
    [0.75, whole.p75Us],
    [0.95, whole.p95Us],
  ] as const)
    quantile(`p${level * 100} of ${what}`, shown, level, durations)
  const truth = Map.groupBy(own, ({ visit }) => visit.traceId)
  for (const sort of sorts) {
    const keys: number[] = []
    const seen = new Map<string, string>()
    let after: KeyCursor | undefined
    do {
      const page = await listTraces(viewer, { ...filter, sort, after })
      for (const { traceId, matchCount, failedCount, spanCount, durationUs, at } of page.traces) {
        seen.set(traceId, `${matchCount} of ${spanCount}, ${failedCount} failed`)
        keys.push(sort === 'newest' ? at : sort === 'slowest' ? durationUs : failedCount)
      }
      after = page.next ?? undefined
    } while (after)
    const known = new Map(visits.map(visit => [visit.traceId, visit]))
    const expected = [...truth].map(([traceId, matching]): [string, string] => {
      const failed = matching.filter(({ isFailed }) => isFailed).length
      return [traceId, `${matching.length} of ${known.get(traceId)?.spans.length}, ${failed} failed`]
    })
    same(`traces of ${what} by ${sort}`, [...seen].sort(), expected.sort())
    same(
      `order of ${what} by ${sort}`,
      keys,
      keys.toSorted((a, b) => b - a),
    )
  }
}

/** Traces one by one, as their page and the API count them. A deletion only takes errors away. */
async function compareSome({ viewer, now, visits, events, logs, isWhole, report }: Model): Promise<void> {
  const { same } = report
  const withErrors = visits.filter(({ traceId }) => events.some(event => event.traceId === traceId))
  for (const visit of [...withErrors.slice(0, 3), ...visits.slice(0, 1)].slice(isWhole ? 0 : 1)) {
    const { traceId } = visit
    const errors = events.filter(event => event.traceId === traceId)
    const lines = logs.filter(log => log.traceId === traceId)
    const trace = await findTrace(viewer, traceId)
    const what = `trace ${traceId.slice(0, 6)}`
    same(`spans of ${what}`, trace?.spanCount, visit.spans.length)
    same(
      `errors of ${what}`,
      trace?.errors.map(({ eventId }) => eventId).sort(),
      errors.map(({ eventId }) => eventId).sort(),
    )
    same(
      `issues of ${what}`,
      trace?.errors.every(({ issue }) => issue !== null),
      true,
    )
    same(`log lines of ${what}`, sum([...(trace?.logs.values() ?? [])]), lines.length)
    const range = { from: now - 30 * dayMs, to: now + 1 }
    const counts = await countTrace(viewer, traceId, range)
    same(
      `counts of ${what}`,
      [counts.spans, counts.errors, counts.logs],
      [visit.spans.length, errors.length, lines.length],
    )
    same(`operations of ${what}`, Object.entries(counts.spansByOp).sort(), countBy(visit.spans, ({ op }) => op).sort())
    same(`id of ${what}`, readUuid(traceId)?.replaceAll('-', ''), traceId)
    const listed = await listTraceSpans(viewer, { traceId, attributes: [], limit: 100 }, range)
    same(
      `listed spans of ${what}`,
      listed.map(({ span_id }) => span_id).sort(),
      visit.spans.map(({ spanId }) => spanId).sort(),
    )
  }
  if (isWhole) await compareLines({ viewer, visits, logs, report })
  const [some] = visits.filter(({ kind }) => kind === 'load')
  const op = some?.spans[0]
  if (!op) return
  const usual = await findUsualDuration(viewer, { op: op.op, name: op.name, at: op.at })
  const alike = spansOf(visits).filter(
    span => span.op === op.op && span.name === op.name && Math.abs(span.at - op.at) <= dayMs,
  )
  same('spans like one', usual?.count ?? 0, alike.length >= 20 ? alike.length : 0)
}

/** Log lines in the waterfall, at their spans, and under it, of those without one: a trace for each place a line can have. */
async function compareLines({ viewer, visits, logs, report }: Pick<Model, 'viewer' | 'visits' | 'logs' | 'report'>) {
  const { same } = report
  const spanIds = new Set(visits.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)))
  const placeOf = ({ spanId }: ModelLog) => (spanId === '' ? 'none' : spanIds.has(spanId) ? 'a span' : 'a lost span')
  const places = Map.groupBy(logs, placeOf)
  same('places of lines', places.size, 3)
  for (const [place, [line]] of places) {
    if (!line) continue
    const own = logs.filter(({ traceId }) => traceId === line.traceId).toSorted((a, b) => a.at - b.at)
    const marks = await listTraceMarks(viewer, line.traceId, line.at)
    same(
      `marks of a trace with a line in ${place}`,
      [...marks].flatMap(([spanId, at]) => at.map(({ atUs, isError }) => [spanId, atUs, isError])),
      own.filter(({ spanId }) => spanId).map(({ spanId, at, level }) => [spanId, at * 1_000, level === 'error']),
    )
    const loose = await listLooseLogs(viewer, line.traceId, line.at)
    same(
      `loose lines of a trace with a line in ${place}`,
      loose.map(({ at, level, body }) => [at, level, body]),
      own.filter(log => placeOf(log) !== 'a span').map(({ at, level, body }) => [at, level, body]),
    )
  }
}
