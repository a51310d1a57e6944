/** The end of collecting: what a lane has held goes out as one message. */
import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { collectMs, deployCollectMs, readKey } from './collect.ts'
import { type Lane, lanesOf, type Sending } from './lanes.ts'
import { quietUntil } from './quiet-hours.ts'
import { readRules } from './read-rules.ts'
import { isAwake } from './rule.ts'
import { sendToLane } from './send-to-lane.ts'
import { readStoredMessage, summarize } from './stored-message.ts'

/** More than any reader wants; a summary says how many more there were. */
const maxHeld = 2_000

/** The lanes whose collecting is over, in order of time. */
export async function listDueBursts(db: Kysely<ControlSchema>, nowMs: number) {
  return db
    .selectFrom('alert_burst')
    .select(['target', 'until'])
    .where('until', '<=', nowMs)
    .orderBy('until')
    .limit(200)
    .execute()
}

/** Sends what was collected as one message, and goes on collecting; ends the burst if there was nothing. */
export async function flushBurst(sending: Sending, burst: { target: string; until: number }): Promise<void> {
  const { trx, nowMs } = sending
  const { laneKey, deploy } = readKey(burst.target)
  const taken = await trx
    .updateTable('alert_burst')
    .set({ until: nowMs + (deploy === '' ? collectMs : deployCollectMs) })
    .where('target', '=', burst.target)
    .where('until', '=', burst.until)
    .executeTakeFirst()
  // Another node was faster.
  if (taken.numUpdatedRows === 0n) return
  const lane = await findLane(trx, laneKey, nowMs)
  const quiet = lane?.target.kind === 'rule' ? lane.target.rule.config.quiet : null
  const quietEnd = quiet ? quietUntil(quiet, nowMs) : null
  if (quietEnd !== null) {
    await trx.updateTable('alert_burst').set({ until: quietEnd }).where('target', '=', burst.target).execute()
    return
  }
  const held = await trx
    .deleteFrom('alert_held')
    .where('target', '=', burst.target)
    .returning(['id', 'message'])
    .execute()
  if (held.length === 0 || lane === null) {
    await trx.deleteFrom('alert_burst').where('target', '=', burst.target).execute()
    return
  }
  const rows = held.sort((a, b) => a.id - b.id).slice(0, maxHeld)
  const messages = rows.flatMap(row => {
    const message = readStoredMessage(row.message)
    return message === null || message.kind === 'summary' ? [] : [message]
  })
  const [first] = messages
  if (first === undefined) return
  if (messages.length === 1) return sendToLane(sending, lane, first)
  const summary = summarize(messages, nowMs, deploy)
  await sendToLane(
    sending,
    lane,
    { ...summary, more: summary.more + held.length - rows.length },
    `${lane.key}/summary/${rows[0]?.id}-${rows.at(-1)?.id}`,
  )
}

/** Null for a rule that is gone, off or snoozed, or has no such channels any more: what was collected is dropped. */
async function findLane(trx: Sending['trx'], key: string, nowMs: number): Promise<Lane | null> {
  const [kind, id = '0'] = key.split(':')
  if (kind === 'project') return lanesOf({ kind, projectId: Number(id) })[0] ?? null
  const [rule] = await readRules(trx, { ruleId: Number(id) })
  if (rule === undefined || !isAwake(rule, nowMs)) return null
  return lanesOf({ kind: 'rule', rule }).find(lane => lane.key === key) ?? null
}
