import type { Kysely } from 'kysely'
import { jsonOf } from '#lib/json-value.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import {
  type CandidateChannel,
  findRoom,
  isFree,
  leaseMs,
  listCandidateChannels,
  maxInWindow,
  maxUrgentInWindow,
} from './candidate-channels.ts'

type Db = Kysely<ControlSchema>

/** How many channels a node serves in parallel. */
export const maxChannels = 64
/** Those that fail may hang until their timeout: the other half is for those that work. */
const maxFailing = maxChannels / 2
/** One slow channel must not hold up the others, and one that fails is tried with one message. */
const maxPerChannel = { active: 5, failing: 1, disabled: 5 }

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
  firstAttemptAt: number | null
  createdAt: number
}
/** The channels that this node serves now, and whether it took them as failing. */
export type BusyChannels = ReadonlyMap<number, { isFailing: boolean }>
export type Claim = { holder: string; now: number; busyChannels: BusyChannels }
export type ClaimedChannel = { id: number; isFailing: boolean; rows: ClaimedMessage[] }

/**
 * Claims due messages for `leaseMs`: a few per channel, and earlier messages of a subject first. If the holder dies, another node claims
 * them after the lease.
 */
export async function claimMessages(db: Db, { holder, now, busyChannels }: Claim): Promise<ClaimedChannel[]> {
  if (busyChannels.size >= maxChannels) return []
  const candidates = await listCandidateChannels(db, now)
  const channels = chooseChannels(candidates, busyChannels)
  if (channels.length === 0) return []
  const roomOf = await findRoom(
    db,
    channels.map(({ id }) => id),
    now,
  )
  const ids = await listDue(
    db,
    channels.map(({ id, state, isProbe }) => ({
      id,
      most: isProbe ? 1 : maxPerChannel[state],
      room: roomOf(id),
      urgentRoom: roomOf(id, maxInWindow + maxUrgentInWindow),
    })),
    now,
  )
  if (ids.length === 0) return []
  const stateOf = new Map(channels.map(({ id, state }) => [id, state]))
  const rows = await take(db, ids, { holder, now })
  return [...Map.groupBy(rows, row => row.channelId)].map(([id, own]) => ({
    id,
    isFailing: stateOf.get(id) !== 'active',
    rows: own,
  }))
}

function chooseChannels(candidates: readonly CandidateChannel[], busy: BusyChannels): CandidateChannel[] {
  let free = maxChannels - busy.size
  let freeForFailing = maxFailing - [...busy.values()].filter(({ isFailing }) => isFailing).length
  return candidates.filter(({ id, state }) => {
    if (busy.has(id) || free <= 0 || (state !== 'active' && freeForFailing <= 0)) return false
    free -= 1
    if (state !== 'active') freeForFailing -= 1
    return true
  })
}

/** How many messages a channel gets now at most, and how many of each kind it has room for. */
type Room = { id: number; most: number; room: number; urgentRoom: number }

/** The first messages of each channel, in one statement. Urgent ones come first, and have room where others have none. */
async function listDue(db: Db, channels: readonly Room[], now: number): Promise<string[]> {
  const [first, ...others] = channels
    .flatMap(({ id, most, room, urgentRoom }) => [
      { id, isUrgent: true, take: Math.min(most, urgentRoom) },
      { id, isUrgent: false, take: Math.min(most, room) },
    ])
    .filter(each => each.take > 0)
    .map(each => db.selectFrom(dueOf(db, each, now).as('due')).select(['due.id', 'due.channelId', 'due.urgent']))
  if (first === undefined) return []
  const rows = await others.reduce((all, each) => all.unionAll(each), first).execute()
  const dueIn = Map.groupBy(rows, row => Number(row.channelId))
  return channels.flatMap(({ id, most, room }) => {
    const due = dueIn.get(id) ?? []
    const urgent = new Set(due.filter(row => row.urgent === 1).map(row => row.id))
    const rest = due.filter(row => row.urgent === 0).slice(0, Math.max(0, room - urgent.size))
    return [...urgent, ...rest.map(row => row.id)].slice(0, most)
  })
}

const dueOf = (db: Db, channel: { id: number; isUrgent: boolean; take: number }, now: number) =>
  db
    .selectFrom('outbox')
    .select(['outbox.id', 'outbox.channel_id as channelId', 'outbox.urgent'])
    .where('outbox.channel_id', '=', channel.id)
    .$if(channel.isUrgent, query => query.where('outbox.urgent', '=', 1))
    .where('outbox.state', '=', 'queued')
    .where('outbox.summary_id', 'is', null)
    .where('outbox.not_before', '<=', now)
    .where(isFree(now))
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
    .limit(channel.take)

/** Whoever comes second waits for the row and then finds it leased. */
async function take(db: Db, ids: readonly string[], { holder, now }: Omit<Claim, 'busyChannels'>) {
  const rows = await db
    .updateTable('outbox')
    .set({ leased_by: holder, leased_until: now + leaseMs })
    .where('id', 'in', ids)
    .where('state', '=', 'queued')
    .where('summary_id', 'is', null)
    .where(isFree(now))
    .returning([
      'id',
      'organization_id',
      'channel_id',
      'subject',
      'message',
      'recipients',
      'reached',
      'attempts',
      'first_attempt_at',
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
      firstAttemptAt: row.first_attempt_at,
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

/** Releases messages that were claimed but not attempted. */
export async function releaseMessages(db: Db, ids: readonly string[], holder: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ leased_by: '', leased_until: 0 })
    .where('id', 'in', ['', ...ids])
    .where('leased_by', '=', holder)
    .where('state', '=', 'queued')
    .execute()
}
