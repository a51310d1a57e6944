import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { asTransaction } from '#store/control/as-transaction.ts'
import { findChannelRow } from './change-channel.ts'
import { reviveChannel } from './delivery/channel-health.ts'
import { findOrganization, testMessage } from './delivery/own-messages.ts'
import { type Attempt, type Senders, sendMessage } from './delivery/send-message.ts'
import { createMessageId } from './enqueue.ts'
import { findKind } from './kinds/list.ts'
import { endPageSubjects } from './pages/end-pages.ts'
import { openPage } from './pages/open-page.ts'
import { lineOf } from './text.ts'

type Test = Senders & {
  organizationId: number
  channelId: number
  /** Who asked for it. Mail goes to them only. */
  user: { id: string; name: string }
}
type TestResult =
  | { ok: true; attempt: Attempt; channelId: number; deliveryId: number }
  | { ok: false; code: 'channel_not_found' }

/** Sends a message the way alerts are sent, once and at once, and logs the answer. A channel that works is on again. */
export async function testChannel(
  context: CommandContext,
  { organizationId, channelId, user, ...senders }: Test,
): Promise<TestResult> {
  const channel = await findChannelRow(context, { organizationId, channelId })
  if (channel === undefined) return { ok: false, code: 'channel_not_found' }
  const now = context.now()
  const organization = await findOrganization(context.db, organizationId)
  const message = testMessage(
    { id: createMessageId(now), at: now, organization },
    { channel, by: user.name, publicUrl: senders.publicUrl },
  )
  const pageKey = await openTestPage(context, { ...channel, testId: message.id }, now)
  const sent = pageKey === null ? message : { ...message, pageKey }
  const attempt = await sendMessage({ ...senders, db: context.db, now }, channel, sent, {
    recipients: [`user:${user.id}`],
    reached: [],
    onReached: async () => undefined,
  })
  return inTransaction<TestResult>(context, async inner => {
    const { id } = await inner.db
      .insertInto('delivery')
      .values({
        outbox_id: null,
        channel_id: channelId,
        at: inner.now(),
        title: lineOf(message.title, 200),
        attempt: 1,
        status: attempt.status,
        latency_ms: attempt.latencyMs,
        response: attempt.response,
        outcome: attempt.outcome,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (pageKey !== null)
      await endPageSubjects(
        asTransaction(inner.db),
        [{ pageId: message.id, ...testSubject, because: 'it was a test' }],
        inner.now(),
      )
    if (attempt.outcome === 'sent') await reviveChannel(inner.db, { channelId, now: inner.now() })
    await writeAudit(inner, {
      organizationId,
      action: 'channel.test',
      target: `channel:${channelId}`,
      detail: { outcome: attempt.outcome, ...(attempt.status === null ? {} : { status: attempt.status }) },
    })
    return { ok: true, attempt, channelId, deliveryId: id }
  })
}

const testSubject = { kind: 'message', ref: 0, ruleId: 0 } as const

/** Records the page before the test is sent, so that its alert is closed even if this process dies. Null if the channel isn't a pager. */
async function openTestPage(
  { db }: CommandContext,
  channel: { id: number; organization_id: number; kind: string; testId: string },
  nowMs: number,
): Promise<string | null> {
  if (findKind(channel.kind)?.isPager !== true) return null
  return db.transaction().execute(async trx => {
    await openPage(trx, {
      ...{ id: channel.testId, organizationId: channel.organization_id, channelId: channel.id },
      ...{ subject: `test/${channel.testId}`, subjects: [testSubject], nowMs },
    })
    const { key } = await trx
      .updateTable('page')
      .set({ attempted_at: nowMs, title: 'Test' })
      .where('id', '=', channel.testId)
      .returning('key')
      .executeTakeFirstOrThrow()
    return key
  })
}
