import { getIssueMirror } from '../issue-mirror/get-issue-mirror.ts'
import type { Viewer } from '../viewer.ts'
import { askTelemetry } from './ask-telemetry.ts'
import { type Cell, readCell } from './cell.ts'
import { explorationSql } from './exploration-sql.ts'
import { type ExploreFilter, exploreScope } from './explore-scope.ts'
import type { ColumnType, Fault } from './field.ts'
import { planExploration, type Question } from './plan-exploration.ts'

export type Explored = {
  ok: true
  rows: Record<string, Cell>[]
  types: Record<string, ColumnType>
  hasMore: boolean
}
export type ExplorePage = { limit: number; offset: number }

/** Rows, or sums over rows, of one dataset: any fields, any conditions, any order. */
export async function explore(
  viewer: Viewer,
  question: Question,
  filter: ExploreFilter,
  { limit, offset }: ExplorePage,
): Promise<Explored | Fault> {
  const plan = planExploration(question, viewer.now)
  if ('ok' in plan) return plan
  if (plan.dataset.table === 'events') await getIssueMirror(viewer.control, viewer.telemetry).catchUp()
  const sql = explorationSql(plan, exploreScope(viewer, filter), { limit: limit + 1, offset, now: viewer.now })
  const answer = await askTelemetry(viewer.telemetry, sql)
  if (!answer.ok) return answer
  return {
    ok: true,
    rows: answer.rows
      .slice(0, limit)
      .map(row =>
        Object.fromEntries(plan.columns.map(({ name, type }, index) => [name, readCell(row[`c${index}`], type)])),
      ),
    types: Object.fromEntries(plan.columns.map(({ name, type }) => [name, type])),
    hasMore: answer.rows.length > limit,
  }
}
