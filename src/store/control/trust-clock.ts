/**
 * What retention may take for the time. A clock that leaps forward by weeks must not delete weeks of data: while it is ahead of the
 * last run by more than maintenance can have missed, time passes at the pace of the runs, until a day of runs has confirmed it.
 */
import type { Control } from './control.ts'

/** Milliseconds between two runs of maintenance. */
export const maintenanceEveryMs = 30 * 60_000
/** Milliseconds. A few runs may be missed by a restart or a slow store. */
const leapAboveMs = 6 * 3_600_000
/** Runs; a day of them. A machine that was off for weeks deletes a day later, which hurts nobody. */
const runsToConfirm = 48

/** At the first start, before a leap can have been digested. Later starts find it, or what the newest batch said. */
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

/** Called once a run, with the clock of this machine. Never later than that clock. */
export async function trustClock({ db }: Control, nowMs: number): Promise<{ trustedMs: number; isLeap: boolean }> {
  return db.transaction().execute(async trx => {
    const rows = await trx
      .selectFrom('maintenance_state')
      .select(['name', 'value'])
      .where('name', 'in', ['trusted_clock', 'clock_leap_runs'])
      .execute()
    const state = new Map(rows.map(row => [row.name, row.value]))
    const before = state.get('trusted_clock') ?? nowMs
    const isAhead = nowMs - before > leapAboveMs
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
