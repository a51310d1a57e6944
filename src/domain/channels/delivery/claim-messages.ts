import type { Kysely } from 'kysely'
import { jsonOf } from '#lib/json-value.ts'
import type { ControlSchema } from '#store/control/schema.ts'

type Db = Kysely<ControlSchema>

/** Longer than an attempt takes, so that nobody else sends a message that is being sent. */
export const leaseMs = 60_000
/** How many messages a channel gets in `windowMs`; the others become one summary. */
export const maxInWindow = 30
export const windowMs = 5 * 60_000
/** One slow channel must not hold up the others, nor a channel that fails burn the attempts of all its messages. */
const maxPerChannel = { active: 5, failing: 1, disabled: 5 }
const maxCandidates = 500

export type ClaimedMessage = {
  id: string
  organizationId: number
  channelId: number
  subject: string
  /** The parsed JSON that `enqueue` was given. */
  message: unknown
  recipients: string[]
  reached: string[]
  /** Which attempt this is. Those of a process that was killed do not count. */
  attempt: number
  createdAt: number
}

type Claim = { holder: string; now: number; busyChannels: ReadonlySet<number> }

/** Takes due messages for `leaseMs`. Whoever dies with them leaves them to the next. Earlier messages of a subject go first. */
export async function claimMessages(db: Db, { holder, now, busyChannels }: Claim): Promise<ClaimedMessage[]> {
  const candidates = await db
    .selectFrom('outbox')
    .innerJoin('channel', 'channel.id', 'outbox.channel_id')
    .select(['outbox.id', 'outbox.channel_id as channelId', 'channel.state'])
    .where('outbox.state', '=', 'queued')
    .where('outbox.not_before', '<=', now)
    .where('outbox.summary_id', 'is', null)
    .where(({ or, eb }) =>
      or([eb('outbox.leased_until', '<=', now), eb('outbox.leased_until', '>', now + 2 * leaseMs)]),
    )
    .where(({ not, exists, selectFrom, or, eb }) =>
      or([
        eb('outbox.subject', '=', ''),
        not(
          exists(
            selectFrom('outbox as earlier')
              .select('earlier.id')
              .whereRef('earlier.channel_id', '=', 'outbox.channel_id')
              .whereRef('earlier.subject', '=', 'outbox.subject')
              .whereRef('earlier.id', '<', 'outbox.id')
              .where('earlier.state', '=', 'queued')
              .where('earlier.summary_id', 'is', null),
          ),
        ),
      ]),
    )
    .orderBy('outbox.not_before')
    .orderBy('outbox.id')
    .limit(maxCandidates)
    .execute()
  const chosen: string[] = []
  for (const [channelId, rows] of Map.groupBy(candidates, row => row.channelId)) {
    if (busyChannels.has(channelId)) continue
    const room = await findRoom(db, channelId, now)
    const take = Math.min(room, maxPerChannel[rows[0]?.state ?? 'active'])
    chosen.push(...rows.slice(0, take).map(({ id }) => id))
  }
  return chosen.length === 0 ? [] : take(db, chosen, { holder, now })
}

/** Whoever comes second waits for the row and then finds it leased. */
async function take(db: Db, ids: readonly string[], { holder, now }: Omit<Claim, 'busyChannels'>) {
  const rows = await db
    .updateTable('outbox')
    .set({ leased_by: holder, leased_until: now + leaseMs })
    .where('id', 'in', ids)
    .where('state', '=', 'queued')
    .where('summary_id', 'is', null)
    .where(({ or, eb }) => or([eb('leased_until', '<=', now), eb('leased_until', '>', now + 2 * leaseMs)]))
    .returning([
      'id',
      'organization_id',
      'channel_id',
      'subject',
      'message',
      'recipients',
      'reached',
      'attempts',
      'created_at',
    ])
    .execute()
  return rows
    .map(row => ({
      id: row.id,
      organizationId: row.organization_id,
      channelId: row.channel_id,
      subject: row.subject,
      message: jsonOf(row.message),
      recipients: textsOf(row.recipients),
      reached: textsOf(row.reached),
      attempt: row.attempts + 1,
      createdAt: row.created_at,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

const textsOf = (json: string): string[] => {
  const list = jsonOf(json)
  return Array.isArray(list) ? list.filter(each => typeof each === 'string') : []
}

/** False if somebody else has taken the message meanwhile, because those before it took so long. */
export async function renewLease(
  db: Db,
  id: string,
  { holder, now }: { holder: string; now: number },
): Promise<boolean> {
  const result = await db
    .updateTable('outbox')
    .set({ leased_until: now + leaseMs })
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** How many messages the channel may still get in this window. */
export async function findRoom(db: Db, channelId: number, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .where('state', '=', 'sent')
    .where('sent_at', '>', now - windowMs)
    .where('summary_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Math.max(0, maxInWindow - Number(count))
}
