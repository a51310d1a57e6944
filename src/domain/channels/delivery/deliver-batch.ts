/** Sends the messages that were claimed for one channel, one after the other, until one fails. */
import { attemptMessage, buildClaimed, type DeliveryContext } from './attempt-message.ts'
import { type ClaimedMessage, releaseMessages, renewLease } from './claim-messages.ts'
import type { Attempt } from './send-message.ts'
import { settleMessage } from './settle-message.ts'

type Options = DeliveryContext & {
  random(): number
  onAttempt?(row: ClaimedMessage, sent: { kind: string; attempt: Attempt }): void
}

/** Returns how many it tried. After a failure, the rest goes back to the outbox. */
export async function deliverBatch(context: Options, rows: readonly ClaimedMessage[]): Promise<number> {
  const { control, holder, now, random, mailer, onAttempt } = context
  const building = rows.map(row => buildClaimed(context, row))
  let tried = 0
  for (const [index, row] of rows.entries()) {
    if (!(await renewLease(control.db, row.id, { holder, now: now() }))) continue
    const sent = await attemptMessage(context, row, building[index])
    tried += 1
    onAttempt?.(row, sent)
    const settling = { db: control.db, holder, now: now(), random, hasMail: mailer !== null }
    if (await settleMessage(settling, { row, ...sent })) continue
    const rest = rows.slice(index + 1).map(({ id }) => id)
    if (rest.length > 0) await releaseMessages(control.db, rest, holder)
    break
  }
  return tried
}
