import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { columnSql, fromSql, projectParams, type Writing } from './exploration-sql.ts'
import { type ExploreFilter, exploreScope, queryTelemetry, readPending, topGroupsOf } from './explore.ts'
import type { Fault } from './field.ts'
import { planExploration } from './plan-exploration.ts'
import { resolvePlan } from './resolve-plan.ts'

type SeriesQuery = {
  dataset: string
  query: string
  /** Functions; each becomes a line. */
  measures: readonly string[]
  /** Fields; each of their values becomes a line, up to `topGroups`. */
  groups: readonly string[]
  topGroups: number
  stepMs: number
}
export type Series = { group: string; measure: string; values: number[] }
/** `times` are the starts of the steps, in milliseconds. */
export type CountedOverTime = { ok: true; times: number[]; series: Series[] }

const maxSteps = 1_000 // a chart has fewer pixels than that

/** Functions over time, in steps of equal length that begin at multiples of the step. */
export async function countOverTime(
  viewer: Viewer,
  { dataset, query, measures, groups, topGroups, stepMs: wantedMs }: SeriesQuery,
  filter: ExploreFilter,
): Promise<CountedOverTime | Fault> {
  const planned = planExploration({ dataset, fields: [...groups, ...measures], query, sort: [] }, viewer.now)
  if ('ok' in planned) return planned
  const plan = await resolvePlan(viewer, planned, filter.projectIds)
  const wrong = plan.columns.find(({ kind, name }) => (kind === 'aggregate') !== measures.includes(name))
  if (wrong) return { ok: false, code: 'wrong_function', message: `${wrong.name} can't be used in a time series.` }
  const stepMs = Math.max(wantedMs, Math.ceil((filter.to - filter.from) / maxSteps / 1_000) * 1_000)
  const scope = exploreScope(viewer, filter)
  const pending = await readPending(viewer, plan, filter)
  const { params, bind } = boundParams()
  // Rates are per step, so the step is their range.
  const writing: Writing = { plan, scope: { ...scope, from: 0, to: stepMs }, bind, now: viewer.now, pending }
  const keys = plan.columns.filter(column => column.kind === 'reference').map(column => columnSql(column, writing))
  const values = plan.columns.filter(column => column.kind === 'aggregate')
  const response = await queryTelemetry(viewer.telemetry.within(filter.projectIds), {
    query: `
      SELECT intDiv(toUnixTimestamp64Milli(toDateTime64(timestamp, 3)), ${bind(stepMs, 'Int64')}) AS step,
        arrayStringConcat([${keys.map(key => `ifNull(toString(${key}), '')`).join(', ') || "''"}], ',') AS group,
        round(sum(weight)) AS size,
        [${values.map(column => `ifNull(toFloat64(${columnSql(column, writing)}), 0)`).join(', ')}] AS measured
      ${fromSql({ ...writing, scope })}
      GROUP BY step, group
      ORDER BY step
      LIMIT 100000`,
    params: { ...params, ...projectParams(scope) },
  })
  if (!response.ok) return response
  const first = Math.floor(filter.from / stepMs)
  const length = Math.floor((filter.to - 1) / stepMs) - first + 1
  return {
    ok: true,
    times: Array.from({ length }, (_, index) => (first + index) * stepMs),
    series: topGroupsOf(response.rows, groups.length === 0 ? 1 : topGroups).flatMap(({ group, rows }) =>
      values.map(({ name }, index) => {
        const line = new Array<number>(length).fill(0)
        for (const { step, measured } of rows) line[step - first] = measured[index] ?? 0
        return { group, measure: name, values: line }
      }),
    ),
  }
}
