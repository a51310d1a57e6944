/**
 * The time that retention uses. A clock that jumps forward by weeks must not delete weeks of data: if it is further ahead of the last
 * run than maintenance can have missed, the trusted time advances by one interval per run, until a day of runs has confirmed the clock.
 */
import type { Control } from './control.ts'

export const maintenanceEveryMs = 30 * 60_000
/** A few runs may be missed because of a restart or a slow store. */
const maxGapMs = 6 * 3_600_000
/** A day of runs. A machine that was off for weeks deletes a day later, which is harmless. */
const runsToConfirm = 48

/** Initializes the trusted time at the first start, at most to the time of the newest batch. */
export async function beginTrustedClock({ db }: Control, nowMs: number): Promise<void> {
  const newest = await db
    .selectFrom('inbox_cursor')
    .select('updated_at')
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  await db
    .insertInto('maintenance_state')
    .values({ name: 'trusted_clock', value: Math.min(nowMs, newest?.updated_at ?? nowMs) })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

const isAheadOf = (trustedMs: number, nowMs: number): boolean => nowMs - trustedMs > maxGapMs

/** The trusted time without advancing it, for when the database can't be written. */
export async function readTrustedClock(
  { db }: Control,
  nowMs: number,
): Promise<{ trustedMs: number; isLeap: boolean }> {
  const row = await db
    .selectFrom('maintenance_state')
    .select('value')
    .where('name', '=', 'trusted_clock')
    .executeTakeFirst()
  const before = row?.value ?? nowMs
  const isLeap = isAheadOf(before, nowMs)
  return { trustedMs: isLeap ? before : nowMs, isLeap }
}

/** Advances the trusted time; call once per run. It is never ahead of the clock of this machine. */
export async function trustClock({ db }: Control, nowMs: number): Promise<{ trustedMs: number; isLeap: boolean }> {
  return db.transaction().execute(async trx => {
    const rows = await trx
      .selectFrom('maintenance_state')
      .select(['name', 'value'])
      .where('name', 'in', ['trusted_clock', 'clock_leap_runs'])
      .execute()
    const state = new Map(rows.map(row => [row.name, row.value]))
    const before = state.get('trusted_clock') ?? nowMs
    const isAhead = isAheadOf(before, nowMs)
    const runs = isAhead ? (state.get('clock_leap_runs') ?? 0) + 1 : 0
    const isLeap = isAhead && runs < runsToConfirm
    const trustedMs = isLeap ? before + maintenanceEveryMs : nowMs
    for (const [name, value] of [
      ['trusted_clock', trustedMs],
      ['clock_leap_runs', isLeap ? runs : 0],
    ] as const)
      await trx
        .insertInto('maintenance_state')
        .values({ name, value })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
        .execute()
    return { trustedMs, isLeap }
  })
}

/**
 * Now, for what must not happen too early because a clock was ahead or because nothing ran for long: the trusted time while this clock is
 * further ahead of it than maintenance can have missed.
 */
export async function readTrustedNow(db: Control['db'], nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('maintenance_state')
    .select('value')
    .where('name', '=', 'trusted_clock')
    .executeTakeFirst()
  return row !== undefined && nowMs - row.value > maxGapMs ? row.value : nowMs
}
