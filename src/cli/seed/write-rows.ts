/** Runs the inserts day by day, since a day is a partition, in slices that fit the engine's memory. */
import { binSql } from '#lib/log-histogram.ts'
import { ratedBounds } from '#react/route-sample.ts'
import { insertColumns } from '#store/telemetry/encode-rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { waitUntilResponding } from '#store/telemetry/write-batch.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { slots } from './browsers.ts'
import { eventKeySql, eventSql } from './event-sql.ts'
import { logLineCount } from './log-templates.ts'
import { fill, multiply } from './multiply.ts'
import type { SeedDay, SeedPlan } from './plan.ts'
import { pacedVisitSql, spanIdSql, spanSql, visitKeySql } from './span-sql.ts'
import { templateTable } from './templates.ts'
import { chance, longIdSql, type Slice, visitSql } from './visit-sql.ts'

/** Rows or visits per insert. An event is 2 KB of JSON, a visit about a dozen spans. */
const slices = { events: 20_000, visits: 10_000, logs: 100_000, sums: 50_000 }
/** Running the command twice adds twice as much, so equal blocks must not be deduplicated. */
const settings = { insert_deduplicate: 0, max_execution_time: 110 }

type Kind = {
  sql(plan: SeedPlan, day: SeedDay, slice: Slice): string
  total(day: SeedDay): number
  step: number
  rowsEach: number
}

export async function writeRows(
  telemetry: Telemetry,
  plan: SeedPlan,
  spansPerVisit: number,
  onRows: (rows: number) => void,
): Promise<void> {
  const kinds: Kind[] = [
    { sql: spanSql, total: day => day.visits, step: slices.visits, rowsEach: spansPerVisit },
    { sql: eventSql, total: day => day.events, step: slices.events, rowsEach: 1 },
    { sql: visitRouteSql, total: day => day.visits, step: slices.sums, rowsEach: 0 },
    { sql: errorRouteSql, total: day => day.events, step: slices.sums, rowsEach: 0 },
    { sql: logSql, total: day => day.logs, step: slices.logs, rowsEach: 1 },
  ]
  for (const day of plan.days) {
    for (const { sql, total, step, rowsEach } of kinds) {
      for (let from = 0; from < total(day); from += step) {
        const slice = { from, count: Math.min(step, total(day) - from) }
        await insertWithRetry(telemetry, sql(plan, day, slice))
        onRows(slice.count * rowsEach)
      }
    }
  }
  await indexEvents(telemetry, plan)
}

/** Runs last, because an error may be some seconds after the day it was planned for. Sliced by time, since events have no serial. */
async function indexEvents(telemetry: Telemetry, plan: SeedPlan): Promise<void> {
  const edges = plan.days.flatMap(day => {
    const count = Math.max(1, Math.ceil(day.events / slices.events))
    return Array.from({ length: count }, (_, at) =>
      Math.floor(day.startMs + ((day.untilMs - day.startMs) * at) / count),
    )
  })
  for (const [at, from] of edges.entries()) {
    const until = edges[at + 1]
    const conditions = [
      `project_id = ${plan.projectId}`,
      `batch_id = '${plan.batchId}'`,
      `timestamp >= fromUnixTimestamp64Milli(${from})`,
      ...(until === undefined ? [] : [`timestamp < fromUnixTimestamp64Milli(${until})`]),
    ]
    await insertWithRetry(telemetry, indexStoredEventsSql(conditions.join(' AND ')))
  }
}

const tries = 4

/** The engine may restart between two slices. A slice that failed was not written. */
async function insertWithRetry(telemetry: Telemetry, statement: string): Promise<void> {
  for (let left = tries - 1; ; left--) {
    try {
      return await telemetry.command(statement, settings)
    } catch (error) {
      if (left === 0 || !(await waitUntilResponding(telemetry))) throw error
    }
  }
}

const visitRouteSql = (plan: SeedPlan, day: SeedDay, slice: Slice): string =>
  sumsSql(plan, pacedVisitSql(plan, day, slice), `concat('visit ', ${visitKeySql})`)

const errorRouteSql = (plan: SeedPlan, day: SeedDay, slice: Slice): string =>
  sumsSql(
    plan,
    `SELECT *, 1 AS pace, 0 AS has_failed FROM (${visitSql(plan, day, slice)})`,
    `concat('error ', ${eventKeySql(plan, day)})`,
  )

/** Route sums, computed by the engine from the same visits and errors as the rows. */
function sumsSql(plan: SeedPlan, visits: string, key: string): string {
  const total = "(template.total * if(template.measure IN ('cls', 'fetch_bytes'), 1, visit.pace))"
  // A template stands for several visits, all with the same value.
  const value = `(${total} / greatest(1, template.count))`
  // Only the request counts as failed, not the whole visit.
  const failed = "if(visit.has_failed AND template.measure = 'request', template.count, template.failed)"
  const second = 'intDiv(visit.start_us, 1000000)'
  const own: Record<string, string> = {
    bucket: `toDateTime(intDiv(${second}, 300) * 300, 'UTC') AS step`,
    release: `${fill('template.release', [[slots.release, 'visit.release_name']])} AS filled_release`,
    environment: 'visit.environment_name',
    count: 'sum(template.count)',
    failed: `sum(${failed})`,
    total: `sum(${total})`,
    bins: 'tupleElement(histogram, 1)',
    bin_counts: 'tupleElement(histogram, 2)',
    received_at: "fromUnixTimestamp64Milli(intDiv(max(visit.start_us), 1000) + 2500, 'UTC')",
    batch_id: `'${plan.batchId}'`,
  }
  const columns = insertColumns('route_sums')
  const bin = `if(empty(template.bins), CAST([], 'Array(UInt16)'), [${binSql(value, 'template.measure', ratedBounds)}])`
  return `
    INSERT INTO route_sums (${columns.join(', ')})
    WITH sumMap(${bin}, if(empty(template.bins), CAST([], 'Array(Float64)'), [template.count])) AS histogram
    SELECT ${columns.map(column => own[column] ?? `template.${column}`).join(', ')}
    FROM (SELECT *, ${key} AS template_key FROM (${visits})) AS visit
    INNER JOIN ${templateTable('route_sums')} AS template ON template.batch_id = visit.template_key
    GROUP BY template.project_id, step, template.retention_days, template.route, template.measure, template.detail,
      filled_release, visit.environment_name, template.device, template.group_hash`
}

function logSql(plan: SeedPlan, day: SeedDay, slice: Slice): string {
  const salt = `${plan.seed}, ${day.startMs}`
  // The product of two uniform numbers is more often small than large, which makes errors the rarest line.
  const spread = (what: string) => chance(what, plan, day, 'serial')
  const line = `toUInt8(floor(${logLineCount} * ${spread('line')} * ${spread('level')}))`
  const key = `concat(toString(route_index), '.', toString(${line}))`
  const offsetUs = `cityHash64(visit.serial, 'offset', ${salt}) % 200000`
  const text = [[slots.item, 'visit.item'] as const, [slots.user, 'toString(visit.user_number)'] as const]
  return multiply('logs', visitSql(plan, day, slice), key, {
    timestamp: `fromUnixTimestamp64Micro(toInt64(visit.start_us + ${offsetUs}), 'UTC')`,
    received_at: "fromUnixTimestamp64Milli(intDiv(visit.start_us, 1000) + 2500, 'UTC')",
    log_id: `toUUID(${longIdSql('visit.serial', 'log', plan, day)})`,
    sequence: 'toUInt32(visit.serial % 4294967296)',
    body: fill('template.body', text),
    trace_id: 'toUUID(visit.trace)',
    span_id: spanIdSql('template.span_id', plan),
    environment: 'visit.environment_name',
    release: 'visit.release_name',
    user_hash: 'visit.user_number_hash',
    user_id: 'visit.user_name',
    attributes: `mapApply((name, value) -> (name, ${fill('value', [[slots.user, 'toString(visit.user_number)']])}), template.attributes)`,
    batch_id: `'${plan.batchId}'`,
  })
}
