import { randomFillSync } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { findKind } from './kinds/list.ts'
import { openPage, type PageSubject, readPageSubject } from './pages/open-page.ts'

export type NewMessage = {
  channelId: number
  /** A second message with the same key is not sent. */
  key: string
  /** JSON: ids and the frozen reason. `buildMessage` of the delivery job turns it into an AlertMessage. */
  message: object
  /** Milliseconds since 1970. */
  notBefore: number
  /** Messages about one subject (`issue/42`) reach a channel in the order in which they were enqueued. */
  subject?: string
  /** `user:<id>`, `team:<id>` or addresses, instead of the recipients of an email channel. */
  recipients?: readonly string[]
  /** Never part of a summary, and a channel at its limit has room for it. */
  isUrgent?: boolean
  /** The subjects of a pager's alert, if not the subject of the message. When all of them have ended, the alert is closed. */
  pageSubjects?: readonly PageSubject[]
  /** Of a message about a page that is open already. */
  pageId?: string
}

/** Call it in the transaction that decides to send: a message exists exactly if its reason was committed. Returns null for a known key. */
export async function enqueue(
  trx: Transaction<ControlSchema>,
  given: NewMessage,
  now = Date.now(),
): Promise<string | null> {
  const id = createMessageId(now)
  const channel = await trx
    .selectFrom('channel')
    .select(['kind', 'organization_id as organizationId'])
    .where('id', '=', given.channelId)
    .executeTakeFirst()
  if (channel === undefined) return null
  const row = await trx
    .insertInto('outbox')
    .columns([
      'id',
      'organization_id',
      'channel_id',
      'key',
      'subject',
      'message',
      'recipients',
      'not_before',
      'created_at',
      'page_id',
      'urgent',
    ])
    .expression(db =>
      db
        .selectFrom('channel')
        .select(({ val, cast, ref }) => [
          cast<string>(val(id), 'text').as('id'),
          ref('channel.organization_id').as('organization_id'),
          ref('channel.id').as('channel_id'),
          cast<string>(val(given.key), 'text').as('key'),
          cast<string>(val(given.subject ?? ''), 'text').as('subject'),
          cast<string>(val(JSON.stringify(given.message)), 'text').as('message'),
          cast<string>(val(JSON.stringify(given.recipients ?? [])), 'text').as('recipients'),
          cast<number>(val(given.notBefore), 'bigint').as('not_before'),
          cast<number>(val(now), 'bigint').as('created_at'),
          cast<string | null>(val(given.pageId ?? null), 'text').as('page_id'),
          cast<0 | 1>(val(given.isUrgent ? 1 : 0), 'integer').as('urgent'),
        ])
        .where('channel.id', '=', given.channelId),
    )
    .onConflict(conflict => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) return null
  if (given.pageId === undefined && findKind(channel.kind)?.isPager)
    await addToPage(trx, id, { ...given, ...channel }, now)
  return id
}

/** The messages of a page reach its pager in the order in which they were enqueued. */
async function addToPage(
  trx: Transaction<ControlSchema>,
  outboxId: string,
  given: NewMessage & { organizationId: number },
  now: number,
): Promise<void> {
  const { organizationId, channelId } = given
  const subject = given.subject ?? ''
  const opened = await openPage(trx, {
    ...{ id: outboxId, organizationId, channelId, subject, nowMs: now },
    subjects: given.pageSubjects ?? [readPageSubject(subject, 0)],
  })
  await trx
    .updateTable('outbox')
    .set({ page_id: opened.id, subject: opened.subject })
    .where('id', '=', outboxId)
    .execute()
}

let lastMs = 0
let sequence = 0
const maxSequence = 0xfff

/**
 * UUIDv7: the time, then a counter. The ids of one process sort in creation order, even after its clock is set back, because a pager must
 * not receive the end of an alert before its beginning.
 */
export function createMessageId(nowMs: number): string {
  if (nowMs > lastMs) [lastMs, sequence] = [nowMs, 0]
  else if (sequence < maxSequence) sequence += 1
  else [lastMs, sequence] = [lastMs + 1, 0]
  const bytes = randomFillSync(Buffer.alloc(16))
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes.writeUInt8(0x80 | ((bytes[8] ?? 0) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
