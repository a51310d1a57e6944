/**
 * Runs few large inserts: analyzing a statement takes the engine longer than writing its rows. A slice has as many rows as fit its
 * memory, from as many days as there are.
 */
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
import { chance, type DaySlice, longIdSql, type Slice, visitSql } from './visit-sql.ts'

/** Rows or visits per insert. An event is 2 KB of JSON, a visit about a dozen spans. */
const slices = { events: 20_000, visits: 10_000, logs: 100_000, sums: 50_000 }
const maxDaysPerInsert = 50
/** Running the command twice adds twice as much, so equal blocks must not be deduplicated. */
const settings = { insert_deduplicate: 0, max_execution_time: 110 }

type Kind = {
  sql(plan: SeedPlan, slice: Slice): string
  total(day: SeedDay): number
  step: number
  rowsEach: number
}

export async function writeRows(
  telemetry: Telemetry,
  plan: SeedPlan,
  spansPerVisit: number,
  { onRows, signal }: { onRows: (rows: number) => void; signal: AbortSignal },
): Promise<{ hasManyParts: boolean }> {
  const kinds: Kind[] = [
    { sql: spanSql, total: day => day.visits, step: slices.visits, rowsEach: spansPerVisit },
    { sql: eventSql, total: day => day.events, step: slices.events, rowsEach: 1 },
    { sql: sumsSql, total: day => day.visits + day.events, step: slices.sums, rowsEach: 0 },
    { sql: logSql, total: day => day.logs, step: slices.logs, rowsEach: 1 },
  ]
  let hasManyParts = false
  for (const { sql, total, step, rowsEach } of kinds) {
    const statements = sliceDays(plan.days, total, step)
    hasManyParts ||= statements.length > 1
    for (const slice of statements) {
      signal.throwIfAborted()
      await insertWithRetry(telemetry, sql(plan, slice))
      onRows(slice.reduce((sum, { count }) => sum + count, 0) * rowsEach)
    }
  }
  await indexEvents(telemetry, plan)
  signal.throwIfAborted()
  return { hasManyParts }
}

/** Slices of at most `step` rows. A day is a partition, and the engine writes at most a hundred in one insert. */
export function sliceDays(days: readonly SeedDay[], total: (day: SeedDay) => number, step: number): DaySlice[][] {
  const full: DaySlice[][] = []
  let slice: DaySlice[] = []
  let left = step
  for (const day of days) {
    for (let from = 0; from < total(day); ) {
      if (left === 0 || slice.length === maxDaysPerInsert) {
        full.push(slice)
        slice = []
        left = step
      }
      const count = Math.min(left, total(day) - from)
      slice.push({ day, from, count })
      from += count
      left -= count
    }
  }
  return slice.length === 0 ? full : [...full, slice]
}

/** Runs last, because an error may be some seconds after the day it was planned for. Sliced by time, since events have no serial. */
async function indexEvents(telemetry: Telemetry, plan: SeedPlan): Promise<void> {
  const edges = sliceDays(plan.days, ({ events }) => events, slices.events).flatMap(([first]) =>
    first ? [timeOf(first)] : [],
  )
  for (const [at, from] of edges.entries()) {
    const until = edges[at + 1]
    const conditions = [
      `project_id = ${plan.projectId}`,
      `batch_id = '${plan.batchId}'`,
      ...(at === 0 ? [] : [`timestamp >= fromUnixTimestamp64Milli(${from})`]),
      ...(until === undefined ? [] : [`timestamp < fromUnixTimestamp64Milli(${until})`]),
    ]
    await insertWithRetry(telemetry, indexStoredEventsSql(conditions.join(' AND ')))
  }
}

/** About when the first row of a slice is. */
const timeOf = ({ day, from }: DaySlice): number =>
  Math.floor(day.startMs + ((day.untilMs - day.startMs) * from) / Math.max(1, day.events))

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

/** The visits of a slice whose rows are the visits of each day and then its errors, or these errors. */
function partOf(slice: Slice, part: 'visits' | 'events'): Slice {
  return slice.flatMap(({ day, from, count }) => {
    const before = part === 'visits' ? 0 : day.visits
    const first = Math.max(from - before, 0)
    const end = Math.min(from + count - before, day[part])
    return end > first ? [{ day, from: first, count: end - first }] : []
  })
}

/** Route sums, computed by the engine from the same visits and errors as the rows. */
function sumsSql(plan: SeedPlan, slice: Slice): string {
  const columnsOfVisit = 'start_us, release_name, environment_name'
  const visited = partOf(slice, 'visits')
  const failed = partOf(slice, 'events')
  const visits = [
    ...(visited.length === 0
      ? []
      : [
          `SELECT ${columnsOfVisit}, pace, has_failed, concat('visit ', ${visitKeySql}) AS template_key FROM (${pacedVisitSql(plan, visited)})`,
        ]),
    ...(failed.length === 0
      ? []
      : [
          `SELECT ${columnsOfVisit}, 1 AS pace, 0 AS has_failed, concat('error ', ${eventKeySql(plan)}) AS template_key FROM (${visitSql(plan, failed)})`,
        ]),
  ]
  const total = "(template.total * if(template.measure IN ('cls', 'fetch_bytes'), 1, visit.pace))"
  const second = 'intDiv(start_us, 1000000)'
  const own: Record<string, string> = {
    bucket: `toDateTime(intDiv(${second}, 300) * 300, 'UTC') AS step`,
    release: `${fill('release', [[slots.release, 'release_name']])} AS filled_release`,
    environment: 'environment_name',
    count: 'sum(sample.count)',
    // Only the request counts as failed, not the whole visit.
    failed: "sum(if(has_failed AND measure = 'request', sample.count, sample.failed))",
    total: 'sum(visit_total)',
    bins: 'tupleElement(sumMap(own_bins, own_counts) AS histogram, 1)',
    bin_counts: 'tupleElement(histogram, 2)',
    received_at: "fromUnixTimestamp64Milli(intDiv(max(start_us), 1000) + 2500, 'UTC')",
    batch_id: `'${plan.batchId}'`,
  }
  const columns = insertColumns('route_sums')
  const isBinned = (bins: string, of: string) => `if(empty(bins), CAST([], 'Array(${of})'), [${bins}])`
  // In stages: the bin mentions its value many times, and the engine would analyze that as often.
  return `
    INSERT INTO route_sums (${columns.join(', ')})
    SELECT ${columns.map(column => own[column] ?? `sample.${column}`).join(', ')}
    FROM (
      SELECT *, ${isBinned(binSql('each_value', 'measure', ratedBounds), 'UInt16')} AS own_bins,
        ${isBinned('count', 'Float64')} AS own_counts
      FROM (
        SELECT template.*, visit.start_us AS start_us, visit.release_name AS release_name, visit.has_failed AS has_failed,
          visit.environment_name AS environment_name, ${total} AS visit_total,
          -- A template stands for several visits, all with the same value.
          visit_total / greatest(1, template.count) AS each_value
        FROM (${visits.join(' UNION ALL ')}) AS visit
        INNER JOIN ${templateTable('route_sums')} AS template ON template.batch_id = visit.template_key
      )
    ) AS sample
    GROUP BY project_id, step, retention_days, route, measure, detail, filled_release, environment_name, device, group_hash`
}

function logSql(plan: SeedPlan, slice: Slice): string {
  const salt = `${plan.seed}, day_start`
  // The product of two uniform numbers is more often small than large, which makes errors the rarest line.
  const spread = (what: string) => chance(what, plan, 'serial')
  const line = `toUInt8(floor(${logLineCount} * ${spread('line')} * ${spread('level')}))`
  const key = `concat(toString(route_index), '.', toString(${line}))`
  const offsetUs = `cityHash64(visit.serial, 'offset', ${salt}) % 200000`
  const text = [[slots.item, 'visit.item'] as const, [slots.user, 'toString(visit.user_number)'] as const]
  return multiply('logs', visitSql(plan, slice), key, {
    timestamp: `fromUnixTimestamp64Micro(toInt64(visit.start_us + ${offsetUs}), 'UTC')`,
    received_at: "fromUnixTimestamp64Milli(intDiv(visit.start_us, 1000) + 2500, 'UTC')",
    log_id: `toUUID(${longIdSql('visit.serial', 'log', plan)})`,
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
