import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { noPendingStates, type PendingStates, readPendingStates } from '#domain/issues/mirror/pending-states.ts'
import type { Settings } from '#store/telemetry/query.ts'
import type { ScopedTelemetry } from '#store/telemetry/scope/scoped-telemetry.ts'
import { type ExploreScope, explorationSql, isAboutIssues, isKeyed, type RowKey } from './exploration-sql.ts'
import type { ColumnType, Fault } from './field.ts'
import { type Plan, planExploration, type Query } from './plan-exploration.ts'
import { resolvePlan } from './resolve-plan.ts'

export type Explored = {
  ok: true
  rows: Record<string, Cell>[]
  types: Record<string, ColumnType>
  hasMore: boolean
  /** Where the next page begins; null for a query whose pages begin at a position. */
  last: RowKey | null
}
type ExplorePage = { limit: number; offset: number; after?: RowKey | undefined }

/** Rows or aggregates of one dataset, with any fields, conditions and order. */
export async function explore(
  viewer: Viewer,
  query: Query,
  filter: ExploreFilter,
  { limit, offset, after }: ExplorePage,
): Promise<Explored | Fault> {
  const planned = planExploration(query, viewer.now)
  if ('ok' in planned) return planned
  if (after !== undefined && !isKeyed(planned)) return wrongPage
  const plan = await resolvePlan(viewer, planned, filter.projectIds)
  const scope = exploreScope(viewer, filter)
  const pending = await readPending(viewer, plan, filter)
  const sql = explorationSql(plan, scope, { limit: limit + 1, offset, after, now: viewer.now, pending })
  const response = await queryTelemetry(viewer.telemetry.within(filter.projectIds), sql)
  if (!response.ok) return response
  return {
    ok: true,
    rows: response.rows
      .slice(0, limit)
      .map(row =>
        Object.fromEntries(plan.columns.map(({ name, type }, index) => [name, readCell(row[`c${index}`], type)])),
      ),
    types: Object.fromEntries(plan.columns.map(({ name, type }) => [name, type])),
    hasMore: response.rows.length > limit,
    last: isKeyed(plan) ? readKey(response.rows.slice(0, limit).at(-1)) : null,
  }
}

const wrongPage: Fault = {
  ok: false,
  code: 'wrong_sort',
  message: 'The cursor is of another order of this list. Begin without a cursor.',
}

const readKey = (row: Record<string, unknown> | undefined): RowKey | null =>
  row === undefined
    ? null
    : { key: row.row_key === null ? null : Number(row.row_key), id: String(row.row_id).replaceAll('-', '') }

/** The issue states that telemetry does not have yet, if the query needs any. */
export const readPending = async (viewer: Viewer, plan: Plan, { projectIds }: ExploreFilter): Promise<PendingStates> =>
  isAboutIssues(plan) ? readPendingStates(viewer, projectIds) : noPendingStates

/** Any token can send any query, so each one is limited. */
const bounds: Settings = { max_execution_time: 10, max_rows_to_read: 200_000_000, max_memory_usage: 2_000_000_000 }

/** ClickHouse error codes for exceeded limits: too slow, too many rows, too much memory. */
const overBounds = new Set(['158', '159', '160', '241', '307'])

const row = z.record(z.string(), z.unknown())

export async function queryTelemetry(
  telemetry: Pick<ScopedTelemetry, 'query'>,
  query: { query: string; params: Record<string, unknown> },
): Promise<{ ok: true; rows: Record<string, unknown>[] } | Fault> {
  try {
    return { ok: true, rows: await telemetry.query({ ...query, schema: row, settings: bounds }) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!overBounds.has(code)) throw error
    const message = 'The query reads too much data. Use a shorter time range, fewer fields or one project.'
    return { ok: false, code: 'too_slow', message }
  }
}

export type Cell = string | number | boolean | null

/** ClickHouse returns 64-bit numbers as text; dates come as milliseconds. */
function readCell(value: unknown, type: ColumnType): Cell {
  if (value === null || value === undefined) return null
  if (type === 'string') return String(value)
  if (type === 'boolean') return Number(value) === 1
  return type === 'date' ? new Date(Number(value)).toISOString() : Number(value)
}

/** Projects (all of the viewer's by default), environments (all by default) and a time range in milliseconds. */
export type ExploreFilter = {
  /** Only errors with these hashes: the events of one issue. */
  hashes?: readonly string[] | undefined
  projectIds?: readonly number[] | undefined
  environments?: readonly string[] | undefined
  from: number
  to: number
}

export function exploreScope(viewer: Viewer, filter: ExploreFilter): ExploreScope {
  const { environments = [], hashes, from, to } = filter
  return { projects: viewer.projects, environments, hashes, from, to }
}

const groupRow = z.object({
  step: z.coerce.number(),
  group: z.string(),
  size: z.coerce.number(),
  measured: z.array(z.coerce.number()),
})
type StepRow = z.output<typeof groupRow>

/** The rows of the largest groups, largest first; one empty group without data. */
export function topGroupsOf(rows: readonly unknown[], limit: number): { group: string; rows: StepRow[] }[] {
  const parsed = rows.map(each => groupRow.parse(each))
  if (parsed.length === 0) return [{ group: '', rows: [] }]
  const size = (own: StepRow[]) => own.reduce((sum, each) => sum + each.size, 0)
  return Array.from(
    Map.groupBy(parsed, each => each.group),
    ([group, own]) => ({ group, rows: own }),
  )
    .sort((a, b) => size(b.rows) - size(a.rows) || (a.group < b.group ? -1 : 1))
    .slice(0, limit)
}
