/** Time and quiet for tests of alerts in a running Hydrant: nothing waits for real minutes. */
import type { Control } from '#store/control/control.ts'
import type { ShiftedClock } from '../faults/shift-clock.ts'
import { type Hydrant, until } from '../start-hydrant.ts'

export function createAlertClock(hydrant: Hydrant, { db }: Control, clock: ShiftedClock) {
  let offsetMs = 0
  const now = () => Date.now() + offsetMs

  async function pass(ms: number): Promise<void> {
    offsetMs += Math.max(ms, 0)
    await clock.set(offsetMs)
  }

  const hasDueBursts = async () =>
    (await db.selectFrom('alert_burst').select('target').where('until', '<=', now()).execute()).length > 0

  /** What was collected goes out, until nothing is collected any more: the next message will be sent at once. */
  async function endBursts(): Promise<void> {
    for (;;) {
      const bursts = await db.selectFrom('alert_burst').select('until').execute()
      if (bursts.length === 0) return
      await pass(Math.max(...bursts.map(burst => burst.until)) - now() + 1_000)
      await until(async () => !(await hasDueBursts()))
    }
  }

  /** Waits until all accepted events are counted and the alert job has read every issue change. */
  async function changesRead(): Promise<void> {
    await hydrant.drained()
    await until(async () => {
      const unread = await db
        .selectFrom('issue_change')
        .select('id')
        .where(({ or, eb, selectFrom }) =>
          or([
            eb('position', 'is', null),
            eb('position', '>', selectFrom('change_cursor').select('position').where('reader', '=', 'alerts')),
          ]),
        )
        .executeTakeFirst()
      return unread === undefined
    })
  }

  /** Every change has been read, and every message has been sent. */
  async function delivered(): Promise<void> {
    await changesRead()
    await until(async () => {
      await changesRead()
      const waiting = await db.selectFrom('outbox').select('id').where('state', '=', 'queued').executeTakeFirst()
      return waiting === undefined
    })
  }

  return { now, pass, endBursts, changesRead, delivered }
}
