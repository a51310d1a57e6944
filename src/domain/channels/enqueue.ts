import { randomFillSync } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

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
}

/** Call it in the transaction that decides to send: a message exists exactly if its reason was committed. Returns null for a known key. */
export async function enqueue(
  trx: Transaction<ControlSchema>,
  given: NewMessage,
  now = Date.now(),
): Promise<string | null> {
  const id = createMessageId(now)
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
        ])
        .where('channel.id', '=', given.channelId),
    )
    .onConflict(conflict => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

let lastMs = 0
let sequence = 0
const maxSequence = 0xfff

/**
 * UUIDv7: the time first, then a counter, so that ids of one process are in the order in which they were created, also after its clock
 * was set back: a pager must not hear of an end before the beginning.
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
