/** Builds a claimed message from its ids and sends it once. */
import type { AlertMessage } from '#domain/channels/message.ts'
import { beginPage, findPageOf } from '#domain/channels/pages/begin-page.ts'
import { buildPageMessage } from '#domain/channels/pages/page-messages.ts'
import { countOf } from '#domain/channels/worst-first.ts'
import { isObject } from '#lib/json-value.ts'
import type { Control } from '#store/control/control.ts'
import { leaseMs } from './candidate-channels.ts'
import { isSwitchedOff } from './channel-health.ts'
import type { ClaimedMessage } from './claim-messages.ts'
import { buildDisabledNotice, findOrganization, summaryMessage } from './own-messages.ts'
import { type Attempt, type Senders, sendMessage } from './send-message.ts'
import { listFolded, summarySubject } from './summaries.ts'

/** A row of the outbox as its builder sees it. `message` is the parsed JSON that `enqueue` was given. */
export type OutboxRow = { id: string; organizationId: number; message: unknown; createdAt: number }
/** Null if there is nothing left to say, for example because the issue was deleted. */
export type BuildMessage = (row: OutboxRow) => Promise<AlertMessage | null>

export type DeliveryContext = Senders & {
  control: Control
  buildMessage: BuildMessage
  holder: string
  now(): number
}

const failure = (outcome: Attempt['outcome'], response: string): Attempt => ({
  outcome,
  response,
  status: null,
  latencyMs: 0,
  request: '',
})

/** A message as its channel will show it, or why it cannot be sent. */
type Built = { message: AlertMessage } | { failure: Attempt }

/** Reads the facts of a message. Several are built at once, because each waits for telemetry. */
export async function buildClaimed(context: DeliveryContext, row: ClaimedMessage): Promise<Built> {
  try {
    const message = await build(context, row)
    return message === null ? { failure: failure('skipped', 'Nothing is left to say.') } : { message }
  } catch (error) {
    const attempt = failure('retry', `The message could not be built: ${String(error)}`)
    return { failure: { ...attempt, blame: 'message' } }
  }
}

export async function attemptMessage(
  context: DeliveryContext,
  row: ClaimedMessage,
  building: Promise<Built> = buildClaimed(context, row),
) {
  const { control, now, holder } = context
  const { db } = control
  const built = await building
  const channel = await db.selectFrom('channel').selectAll().where('id', '=', row.channelId).executeTakeFirst()
  // A channel that is off still closes what it opened.
  const isEnd = 'message' in built && built.message.action === 'close' && built.message.pageKey !== undefined
  if (channel === undefined || (isSwitchedOff(channel) && !isEnd))
    return { kind: channel?.kind ?? '', title: '', attempt: failure('rejected', 'The channel is off.') }
  const { kind } = channel
  if ('failure' in built) return { kind, title: '', attempt: built.failure }
  const { message } = built
  const page = message.pageKey === undefined ? null : await findPageOf(db, row.id)
  if (page !== null && !(await beginPage(db, page, message, now())))
    return { kind, title: message.title, attempt: failure('skipped', 'What it is about has ended.') }
  const reached = [...row.reached]
  const attempt = await sendMessage({ ...context, db, now: now() }, channel, message, {
    recipients: row.recipients,
    reached: row.reached,
    // A retry leaves out whom this one has reached. Many recipients may take longer than the lease, so it is renewed.
    onReached: async address => {
      reached.push(address)
      await db
        .updateTable('outbox')
        .set({ reached: JSON.stringify(reached), leased_until: now() + leaseMs })
        .where('id', '=', row.id)
        .where('leased_by', '=', holder)
        .execute()
    },
  })
  return { kind, title: message.title, attempt }
}

async function build(context: DeliveryContext, row: ClaimedMessage): Promise<AlertMessage | null> {
  const { buildMessage, control, publicUrl } = context
  const base = {
    id: row.id,
    at: row.createdAt,
    organization: await findOrganization(control.db, row.organizationId),
  }
  if (row.subject === summarySubject) {
    const { named, rest } = await listFolded(control.db, row.id)
    const built = await Promise.all(
      named.map(({ message }) =>
        buildMessage({ id: row.id, createdAt: row.createdAt, organizationId: row.organizationId, message }),
      ),
    )
    const messages = built.filter(message => message !== null)
    return messages.length + countOf(rest) === 0 ? null : summaryMessage(base, { messages, rest, publicUrl })
  }
  const page = await findPageOf(control.db, row.id)
  const own = page && buildPageMessage(base, row.message, page)
  const message =
    (own && isPlain(row.message) ? own : null) ??
    buildDisabledNotice(base, row.message, publicUrl) ??
    (await buildMessage({
      id: row.id,
      organizationId: row.organizationId,
      message: row.message,
      createdAt: row.createdAt,
    })) ??
    own
  return message && page ? { ...message, pageKey: page.key } : message
}

/** If a page end carries no message, or its message can no longer be built, it only states the reason. */
const isPlain = (message: unknown): boolean => isObject(message) && message.kind === undefined
