/**
 * Comparisons with now that survive a clock that was wrong for a while. A moment that lies further ahead than it can have been set was set
 * by a clock that was ahead: a schedule is due then (`correctDueTimes`), and something past is not recent (`isWithin`).
 */
import { type ExpressionBuilder, type Kysely, type ReferenceExpression, sql } from 'kysely'
import type { Control } from './control.ts'
import type { ControlSchema } from './schema.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Clocks of nodes may differ by so much. */
export const clockSkewMs = 5 * minuteMs

/** Whether something happened less than `withinMs` ago, by a column with its time. */
export const isWithin =
  <Tables extends keyof ControlSchema>(
    column: ReferenceExpression<ControlSchema, Tables>,
    nowMs: number,
    withinMs: number,
  ) =>
  (eb: ExpressionBuilder<ControlSchema, Tables>) =>
    eb.and([eb(column, '>', sql<never>`${nowMs - withinMs}`), eb(column, '<=', sql<never>`${nowMs + clockSkewMs}`)])

export const isRecent = (at: number, nowMs: number, withinMs: number): boolean =>
  at > nowMs - withinMs && at <= nowMs + clockSkewMs

type Schedule = {
  table: keyof ControlSchema
  /** When something is due, or up to when something is done. */
  column: string
  /** How far ahead it may be set, in SQL. */
  aheadMs: string
  /** Another column that says when it was set, if the due time itself doesn't show that. */
  setAt?: string
  where?: string
  /** Judged by the minute. */
  isMinute?: boolean
}

/** Every time that something waits for, and how far ahead it can be. Leases are compared where they are taken. */
export const schedules: readonly Schedule[] = [
  { table: 'outbox', column: 'not_before', aheadMs: `${hourMs}`, where: "state = 'queued'" },
  { table: 'outbox', column: 'first_attempt_at', aheadMs: '0', where: "state = 'queued'" },
  {
    table: 'channel',
    column: 'retry_at',
    aheadMs: `CASE WHEN state = 'disabled' THEN ${24 * hourMs} ELSE ${hourMs} END`,
  },
  { table: 'alert_burst', column: 'until', setAt: 'set_at', aheadMs: '0' },
  { table: 'job', column: 'run_at', aheadMs: `COALESCE(every_ms, ${10 * minuteMs})`, where: "state = 'queued'" },
  { table: 'detector', column: 'judged_at', aheadMs: '0', isMinute: true },
  { table: 'maintenance_state', column: 'value', aheadMs: '0', where: "name LIKE 'alerts_minute%'", isMinute: true },
]

/** Makes due what was scheduled by a clock that was ahead. Reads only, unless there is something. Returns the number of corrected rows. */
export async function correctDueTimes({ db }: Pick<Control, 'db'>, nowMs: number): Promise<number> {
  let corrected = 0
  for (const schedule of schedules)
    if (await hasLate(db, schedule, nowMs)) corrected += await correct(db, schedule, nowMs)
  return corrected
}

const conditionOf = ({ column, setAt = column, aheadMs, where = '1 = 1' }: Schedule, nowMs: number) =>
  sql`${sql.raw(where)} AND ${sql.ref(setAt)} - (${sql.raw(aheadMs)}) > ${nowMs + clockSkewMs}`

async function hasLate(db: Kysely<ControlSchema>, schedule: Schedule, nowMs: number): Promise<boolean> {
  const { rows } =
    await sql`SELECT 1 FROM ${sql.table(schedule.table)} WHERE ${conditionOf(schedule, nowMs)} LIMIT 1`.execute(db)
  return rows.length > 0
}

async function correct(db: Kysely<ControlSchema>, schedule: Schedule, nowMs: number): Promise<number> {
  const { table, column, setAt = column, isMinute = false } = schedule
  const at = isMinute ? Math.floor(nowMs / minuteMs) * minuteMs : nowMs
  const alsoSet = setAt === column ? sql`` : sql`, ${sql.ref(setAt)} = ${nowMs}`
  const result =
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${at}${alsoSet} WHERE ${conditionOf(schedule, nowMs)}`.execute(
      db,
    )
  return Number(result.numAffectedRows ?? 0)
}
