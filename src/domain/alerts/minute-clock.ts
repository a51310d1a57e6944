/**
 * The clock for everything that is judged by the minute. It follows the inboxes: a minute is judged once every node has digested all
 * data received before the minute's end. Data sent while no node accepted any is missing (pauses.ts).
 */
import type { Control } from '#store/control/control.ts'
import { isWithin } from '#store/control/due-times.ts'
import { recordPause } from './pauses.ts'

const minuteMs = 60_000
/** A node that has not reported for so long is down, and the others do not wait for it. */
const silentMs = 2 * minuteMs

/** Called by each node that accepts events, every few seconds: it has digested all that it received before `digestedUntil`. */
export async function reportClock(
  { db }: Control,
  inboxId: string,
  digestedUntil: number,
  nowMs: number,
  aliveSince?: number,
): Promise<void> {
  await recordPause(db, { aliveSince, nowMs })
  const values = { digested_until: digestedUntil, reported_at: nowMs, stopped_at: null }
  await db
    .insertInto('node_clock')
    .values({ inbox_id: inboxId, blind_until: aliveSince ?? nowMs, ...values })
    .onConflict(conflict => conflict.column('inbox_id').doUpdateSet(values))
    .execute()
}

/** The last report of a node that ends. Only if its inbox is empty: otherwise the rest is still to come. */
export async function reportStop({ db }: Control, inboxId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('node_clock')
    .set({ digested_until: nowMs, reported_at: nowMs, stopped_at: nowMs })
    .where('inbox_id', '=', inboxId)
    .execute()
}

export type MinuteClock = {
  /** The end of the last minute that can be judged. */
  until: number
}

/** Null while no node has reported. */
export async function readMinuteClock({ db }: Control, nowMs: number): Promise<MinuteClock | null> {
  const rows = await db
    .selectFrom('node_clock')
    .select('digested_until')
    .where(isWithin('node_clock.reported_at', nowMs, silentMs))
    .where('stopped_at', 'is', null)
    .execute()
  if (rows.length === 0) return null
  const digested = Math.min(...rows.map(row => row.digested_until))
  return { until: Math.floor(digested / minuteMs) * minuteMs }
}

/** A node that died with records in its inbox may come back and digest them. This is how long it is waited for. */
const missedMs = 24 * 60 * minuteMs

/** Whether every node has digested what it received before `untilMs`; `missed` counts those that nobody waits for any more. */
export async function readDigested(
  { db }: Control,
  untilMs: number,
  nowMs: number,
): Promise<{ isDigested: boolean; missed: number }> {
  const behind = await db
    .selectFrom('node_clock')
    .select('reported_at')
    .where('digested_until', '<=', untilMs)
    .where('stopped_at', 'is', null)
    .execute()
  const missed = behind.filter(row => row.reported_at < nowMs - missedMs).length
  return { isDigested: missed === behind.length, missed }
}
