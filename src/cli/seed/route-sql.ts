/** The sums of each route, added up by the engine from the same visits and errors that the rows are made of. */
import { binSql } from '#lib/log-histogram.ts'
import { insertColumns } from '#store/telemetry/encode-rows.ts'
import { eventKeySql } from './event-sql.ts'
import type { SeedDay, SeedPlan } from './plan.ts'
import { pacedVisitSql, visitKeySql } from './span-sql.ts'
import { templateTable } from './template-tables.ts'
import { type Slice, visitSql } from './visit-sql.ts'

export const visitRouteSql = (plan: SeedPlan, day: SeedDay, slice: Slice): string =>
  sumsSql(plan, pacedVisitSql(plan, day, slice), `concat('visit ', ${visitKeySql})`)

export const errorRouteSql = (plan: SeedPlan, day: SeedDay, slice: Slice): string =>
  sumsSql(
    plan,
    `SELECT *, 1 AS pace, 0 AS has_failed FROM (${visitSql(plan, day, slice)})`,
    `concat('error ', ${eventKeySql(plan, day)})`,
  )

function sumsSql(plan: SeedPlan, visits: string, key: string): string {
  const value = "(template.total * if(template.measure IN ('cls', 'fetch_bytes'), 1, visit.pace))"
  // A request that failed is failed; a visit that merely contains one is not.
  const failed = "greatest(template.failed, toFloat64(visit.has_failed AND template.measure = 'request'))"
  const second = 'intDiv(visit.start_us, 1000000)'
  const own: Record<string, string> = {
    bucket: `toDateTime(intDiv(${second}, 300) * 300, 'UTC') AS step`,
    release: 'visit.release_name',
    environment: 'visit.environment_name',
    count: 'sum(template.count)',
    failed: `sum(${failed})`,
    total: `sum(${value})`,
    bins: 'tupleElement(histogram, 1)',
    bin_counts: 'tupleElement(histogram, 2)',
    batch_id: `'${plan.batchId}'`,
  }
  const columns = insertColumns('route_sums')
  const bin = `if(empty(template.bins), CAST([], 'Array(UInt16)'), [${binSql(value)}])`
  return `
    INSERT INTO route_sums (${columns.join(', ')})
    WITH sumMap(${bin}, if(empty(template.bins), CAST([], 'Array(Float64)'), [toFloat64(1)])) AS histogram
    SELECT ${columns.map(column => own[column] ?? `template.${column}`).join(', ')}
    FROM (SELECT *, ${key} AS template_key FROM (${visits})) AS visit
    INNER JOIN ${templateTable('route_sums')} AS template ON template.batch_id = visit.template_key
    GROUP BY template.project_id, step, template.retention_days, template.route, template.measure, template.detail,
      visit.release_name, visit.environment_name, template.device`
}
