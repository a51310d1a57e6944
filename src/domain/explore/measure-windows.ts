/** A function over windows that slide: what it was in each of them, by when the rows were received. */
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { countsRows } from './aggregate.ts'
import { columnSql, fromSql, havingSql, measuredRowsSql, projectParams, type Writing } from './exploration-sql.ts'
import { type ExploreFilter, exploreScope, queryTelemetry, readPending } from './explore.ts'
import type { Fault } from './field.ts'
import { planExploration } from './plan-exploration.ts'
import { resolvePlan } from './resolve-plan.ts'

const hourMs = 3_600_000
/** Rows that were received later than this after they happened say nothing about a window. Tables are sorted by when things happened. */
const lateMs = hourMs
/** Clocks of clients may be ahead; digest cuts what is more. */
const aheadMs = hourMs

/** Windows of `windowMs` that end at `first`, at each `stepMs` after it, and not after `last`. */
export type Windows = { first: number; last: number; stepMs: number; windowMs: number }
type Measured = { dataset: string; query: string; measure: string }
/** `rows` is the number of those that have what is measured, by weight. Without any, only what counts has a value. A window without rows is missing. */
type WindowValue = { end: number; value: number | null; rows: number }

const windowRow = z.object({ step: z.coerce.number(), measured: z.array(z.coerce.number()) })

export async function measureWindows(
  viewer: Viewer,
  { dataset, query, measure }: Measured,
  windows: Windows,
  filter: Omit<ExploreFilter, 'from' | 'to'>,
): Promise<{ ok: true; values: WindowValue[] } | Fault> {
  const planned = planExploration({ dataset, fields: [measure], query, sort: [] }, viewer.now)
  if ('ok' in planned) return planned
  const plan = await resolvePlan(viewer, planned, filter.projectIds)
  const [column] = plan.columns
  if (column?.kind !== 'aggregate')
    return { ok: false, code: 'wrong_function', message: `${measure} is not a function.` }
  const { first, last, stepMs, windowMs } = windows
  const received = { from: first - windowMs, to: last, lateMs }
  const range = { from: received.from - lateMs, to: received.to + aheadMs }
  const scope = { ...exploreScope(viewer, { ...filter, ...range }), received }
  const { params, bind } = boundParams()
  const pending = await readPending(viewer, plan, { ...filter, ...range })
  // Rates are per window, so the window is their range.
  const writing: Writing = { plan, scope: { ...scope, from: 0, to: windowMs }, bind, now: viewer.now, pending }
  const [step, width] = [bind(stepMs, 'Int64'), bind(windowMs, 'Int64')]
  const since = `(toUnixTimestamp64Milli(received_at) - ${bind(received.from, 'Int64')})`
  // A row is in every window that ends after its receipt, for as long as a window.
  const lowest = `if(${since} < ${width}, 0, intDiv(${since} - ${width}, ${step}) + 1)`
  const highest = `least(intDiv(${since}, ${step}), ${bind(Math.floor((last - first) / stepMs), 'Int64')})`
  const having = plan.conditions.having.map(each => havingSql(each, writing))
  const response = await queryTelemetry(viewer.telemetry.within(filter.projectIds), {
    query: `
      SELECT arrayJoin(range(toUInt32(${lowest}), toUInt32(${highest} + 1))) AS step,
        [ifNull(toFloat64(${columnSql(column, writing)}), 0), toFloat64(${measuredRowsSql(column.aggregate, writing)})] AS measured
      ${fromSql({ ...writing, scope })}
      GROUP BY step
      ${having.length > 0 ? `HAVING ${having.join(' AND ')}` : ''}
      ORDER BY step
      LIMIT 100000`,
    params: { ...params, ...projectParams(scope) },
  })
  if (!response.ok) return response
  return {
    ok: true,
    values: response.rows.map(each => {
      const { step: index, measured } = windowRow.parse(each)
      const [value = 0, rows = 0] = measured
      const end = first + index * stepMs
      return { end, value: rows > 0 || countsRows(column.aggregate) ? value : null, rows }
    }),
  }
}
