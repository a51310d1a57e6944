/** Collecting: after a message was sent, others of its lane wait for each other, and arrive as one. */
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { Sending } from './lanes.ts'
import { leaveOut, readStoredMessage, type SingleMessage } from './stored-message.ts'

/** After a message, others of the same lane are collected for so long; those of the same deploy for longer. */
export const collectMs = 60_000
export const deployCollectMs = 5 * 60_000

/** Collects what follows a deploy, apart from everything else of the lane. */
export const deployKey = (laneKey: string, deploy: string): string => `${laneKey}/deploy:${deploy}`

export function readKey(key: string): { laneKey: string; deploy: string } {
  const [laneKey = '', deploy = ''] = key.split(/\/deploy:(.*)/s)
  return { laneKey, deploy }
}

/** Whether messages were being collected before. If not, they are from now on. */
export async function openBurst(trx: Sending['trx'], target: string, until: number): Promise<boolean> {
  const opened = await trx
    .insertInto('alert_burst')
    .values({ target, until })
    .onConflict(conflict => conflict.column('target').doNothing())
    .returning('target')
    .executeTakeFirst()
  return opened === undefined
}

export async function holdMessages(
  { trx, nowMs }: Sending,
  target: string,
  messages: readonly SingleMessage[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += chunkSize)
    await trx
      .insertInto('alert_held')
      .values(
        messages
          .slice(start, start + chunkSize)
          .map(message => ({ target, message: JSON.stringify(message), held_at: nowMs })),
      )
      .execute()
}

/** Messages about these subjects are not worth sending any more. */
export async function dropHeld({ trx }: Sending, laneKey: string, subjects: ReadonlySet<string>): Promise<void> {
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
