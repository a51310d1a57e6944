/** The end of collecting: what a lane has held goes out as one message. */
import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { collectMs, deployCollectMs, readKey } from './collect.ts'
import { type Burst, type Sending, singleKey } from './lanes.ts'
import { quietUntil } from './quiet-hours.ts'
import { summarize, withMore } from './stored-message.ts'

/** More than any reader wants; a summary says how many more there were. */
const maxHeld = 2_000

/** The lanes whose collecting is over, in order of time. */
export async function listDueBursts(db: Kysely<ControlSchema>, nowMs: number): Promise<Burst[]> {
  return db
    .selectFrom('alert_burst')
    .select(['target', 'until'])
    .where('until', '<=', nowMs)
    .orderBy('until')
    .limit(200)
    .execute()
}

/** Sends what was collected as one message, and goes on collecting; ends the burst if there was nothing. */
export async function flushBurst({ memory, nowMs }: Sending, burst: Burst): Promise<void> {
  const { target } = burst
  const { laneKey, deploy } = readKey(target)
  // From the planned end, so that it does not matter how soon the job sees it.
  const until = Math.max(nowMs, burst.until + (deploy === '' ? collectMs : deployCollectMs))
  // Another node may be faster.
  if (!(await memory.moveBurst(burst, until))) return
  const lane = await memory.findLane(laneKey)
  const quiet = lane?.target.kind === 'rule' ? lane.target.rule.config.quiet : null
  const quietEnd = quiet ? quietUntil(quiet, nowMs) : null
  if (quietEnd !== null) {
    await memory.moveBurst({ target, until }, quietEnd)
    return
  }
  const held = await memory.takeHeld(target)
  // The rule may be gone, off or snoozed: then what was collected is dropped.
  if (held.length === 0 || lane === null) return memory.endBurst(target)
  const rows = held.slice(0, maxHeld)
  const messages = rows.flatMap(({ message }) => (message === null ? [] : [message]))
  const [first] = messages
  if (first === undefined) return
  if (messages.length === 1) return memory.send(lane, first, singleKey(lane, first))
  const summary = summarize(messages, nowMs, deploy)
  await memory.send(
    lane,
    withMore(summary, held.length - rows.length),
    `${lane.key}/summary/${rows[0]?.id}-${rows.at(-1)?.id}`,
    held.flatMap(({ message }) => message ?? []),
  )
}
