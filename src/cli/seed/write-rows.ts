/** Runs the inserts, day by day: one day is one partition, and a slice of it is small enough for the engine's memory. */
import { answersAgain } from '#store/telemetry/answers-again.ts'
import { indexStoredEventsSql } from '#store/telemetry/index-event.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { eventSql } from './event-sql.ts'
import { logSql } from './log-sql.ts'
import type { SeedDay, SeedPlan } from './plan.ts'
import { errorRouteSql, visitRouteSql } from './route-sql.ts'
import { spanSql } from './span-sql.ts'
import type { Slice } from './visit-sql.ts'

/** Rows, of templates or visits, per insert. An event is 2 KB of JSON, a visit about a dozen spans. */
const slices = { events: 20_000, visits: 10_000, logs: 100_000, sums: 50_000 }
/** A repeat of the command is meant: equal blocks must not be taken for a second delivery. */
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
        await insertPatiently(telemetry, sql(plan, day, slice))
        onRows(slice.count * rowsEach)
      }
    }
  }
  await indexEvents(telemetry, plan)
}

/** Last, because an error may lie some seconds behind the day it was planned for; by time, since events have no serial. */
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
    await insertPatiently(telemetry, indexStoredEventsSql(conditions.join(' AND ')))
  }
}

const tries = 4

/** The engine may end between two slices and begin anew; a slice that it has refused was not written. */
async function insertPatiently(telemetry: Telemetry, statement: string): Promise<void> {
  for (let left = tries - 1; ; left--) {
    try {
      return await telemetry.command(statement, settings)
    } catch (error) {
      if (left === 0 || !(await answersAgain(telemetry))) throw error
    }
  }
}
