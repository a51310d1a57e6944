/** What lanes remember in the control database, in the transaction that sends. */
import type { Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Traces } from './cascades.ts'
import { deployKey } from './collect.ts'
import { type LaneMemory, lanesOf, type Sending, sentName } from './lanes.ts'
import { readRules } from './read-rules.ts'
import { isAwake } from './rule.ts'
import { sendToLane, type Transport } from './send-to-lane.ts'
import { leaveOut, readStoredMessage } from './stored-message.ts'

type Trx = Transaction<ControlSchema>

export const sendingOf = (transport: Transport, traces?: Traces): Sending => ({
  memory: createLaneMemory(transport),
  nowMs: transport.nowMs,
  ...(traces ? { traces } : {}),
})

function createLaneMemory(transport: Transport): LaneMemory {
  const { trx, nowMs } = transport
  return {
    openBurst: async (target, until) => {
      const opened = await trx
        .insertInto('alert_burst')
        .values({ target, until, set_at: nowMs })
        .onConflict(conflict => conflict.column('target').doNothing())
        .returning('target')
        .executeTakeFirst()
      return opened === undefined
    },
    moveBurst: async (burst, until) => {
      const moved = await trx
        .updateTable('alert_burst')
        .set({ until, set_at: nowMs })
        .where('target', '=', burst.target)
        .where('until', '=', burst.until)
        .executeTakeFirst()
      return moved.numUpdatedRows > 0n
    },
    endBurst: async target => {
      await trx.deleteFrom('alert_burst').where('target', '=', target).execute()
    },
    hold: async (target, messages) => {
      for (const chunk of chunksOf(messages))
        await trx
          .insertInto('alert_held')
          .values(chunk.map(message => ({ target, message: JSON.stringify(message), held_at: nowMs })))
          .execute()
    },
    takeHeld: async target => {
      const rows = await trx
        .deleteFrom('alert_held')
        .where('target', '=', target)
        .returning(['id', 'message'])
        .execute()
      return rows
        .sort((a, b) => a.id - b.id)
        .map(row => {
          const message = readStoredMessage(row.message)
          return { id: row.id, message: message?.kind === 'summary' ? null : message }
        })
    },
    dropHeld: (laneKey, subjects) => dropHeld(trx, laneKey, subjects),
    listSent: async (ruleId, subjects) => {
      const sent = new Map<string, number>()
      for (const chunk of chunksOf(subjects))
        for (const row of await trx
          .selectFrom('alert_sent')
          .select(['subject_key', 'type', 'sent_at'])
          .where('rule_id', '=', ruleId)
          .where('subject_key', 'in', chunk)
          .execute())
          sent.set(sentName(row.subject_key, row.type), row.sent_at)
      return sent
    },
    markSent: async (ruleId, sent, at) => {
      for (const chunk of chunksOf(sent))
        await trx
          .insertInto('alert_sent')
          .values(chunk.map(({ subject, type }) => ({ rule_id: ruleId, subject_key: subject, type, sent_at: at })))
          .onConflict(conflict => conflict.columns(['rule_id', 'subject_key', 'type']).doUpdateSet({ sent_at: at }))
          .execute()
    },
    findLane: async key => {
      const [kind, id = '0'] = key.split(':')
      if (kind === 'project') return lanesOf({ kind, projectId: Number(id) })[0] ?? null
      const [rule] = await readRules(trx, { ruleId: Number(id) })
      if (rule === undefined || !isAwake(rule, nowMs)) return null
      return lanesOf({ kind: 'rule', rule }).find(lane => lane.key === key) ?? null
    },
    send: (lane, message, key, parts) => sendToLane(transport, lane, message, key, parts),
  }
}

async function dropHeld(trx: Trx, laneKey: string, subjects: ReadonlySet<string>): Promise<void> {
  const held = await trx
    .selectFrom('alert_held')
    .select(['id', 'message'])
    .where(({ or, eb }) => or([eb('target', '=', laneKey), eb('target', 'like', `${deployKey(laneKey, '')}%`)]))
    .execute()
  for (const { id, message: text } of held) {
    const message = readStoredMessage(text)
    if (message === null || message.kind === 'summary') continue
    const rest = leaveOut(message, subjects)
    if (rest === message) continue
    if (rest === null) await trx.deleteFrom('alert_held').where('id', '=', id).execute()
    else
      await trx
        .updateTable('alert_held')
        .set({ message: JSON.stringify(rest) })
        .where('id', '=', id)
        .execute()
  }
}
