import type { Viewer } from '#domain/access/viewer.ts'
import { jsonOf } from '#lib/json-value.ts'
import { conditionOf } from './channel-condition.ts'
import { readShown } from './channel-settings.ts'
import { findKind } from './kinds/list.ts'

const dayMs = 24 * 60 * 60_000
const logDays = 14
const maxChannels = 500

/** Channels by name, with how many messages they got in the last 14 days and how long that usually took. */
export async function listChannels(viewer: Viewer) {
  const since = viewer.now - logDays * dayMs
  const [rows, sent, waiting] = await Promise.all([
    viewer.control
      .channels()
      .leftJoin('user', 'user.id', 'channel.owner_user_id')
      .leftJoin('project', 'project.id', 'channel.project_id')
      .select([
        'channel.id',
        'channel.name',
        'channel.kind',
        'channel.config',
        'channel.state',
        'channel.state_at as stateAt',
        'channel.disabled_reason as disabledReason',
        'channel.retry_at as retryAt',
        'user.name as owner',
        'project.slug as project',
      ])
      .orderBy('channel.name')
      .orderBy('channel.id')
      .limit(maxChannels)
      .execute(),
    viewer.control
      .deliveries()
      .select(({ fn }) => [
        'delivery.channel_id as channelId',
        fn.countAll<number>().as('count'),
        fn.avg<number>('delivery.latency_ms').as('latencyMs'),
      ])
      .where('delivery.at', '>=', since)
      .where('delivery.outcome', '=', 'sent')
      .groupBy('delivery.channel_id')
      .execute(),
    viewer.control
      .outbox()
      .select(({ fn }) => ['outbox.channel_id as channelId', 'outbox.state', fn.countAll<number>().as('count')])
      .select(({ fn }) => [
        fn.min('outbox.not_before').as('next'),
        fn.min('outbox.created_at').as('since'),
        fn.max('outbox.last_error').as('lastError'),
      ])
      .where('outbox.state', 'in', ['queued', 'dead'])
      .where('outbox.summary_id', 'is', null)
      .groupBy(['outbox.channel_id', 'outbox.state'])
      .execute(),
  ])
  const sentOf = new Map(sent.map(row => [row.channelId, row]))
  const waitingOf = (channelId: number, state: string) =>
    waiting.find(row => row.channelId === channelId && row.state === state)
  return rows.map(({ config, ...row }) => {
    const queued = waitingOf(row.id, 'queued')
    const waiting = { count: Number(queued?.count ?? 0), since: queued === undefined ? null : Number(queued.since) }
    return {
      ...row,
      kindLabel: findKind(row.kind)?.label ?? row.kind,
      target: readShown(config).target,
      sent: Number(sentOf.get(row.id)?.count ?? 0),
      latencyMs: sentOf.has(row.id) ? Math.round(Number(sentOf.get(row.id)?.latencyMs)) : null,
      waiting,
      condition: conditionOf({ state: row.state, waiting }, viewer.now),
      nextAt: queued === undefined ? null : Math.max(Number(queued.next), row.retryAt),
      lastError: queued?.lastError ?? '',
      dead: Number(waitingOf(row.id, 'dead')?.count ?? 0),
    }
  })
}
export type ListedChannel = Awaited<ReturnType<typeof listChannels>>[number]

/** A channel with the settings that may be shown. */
export async function findChannel(viewer: Viewer, channelId: number) {
  const row = await viewer.control
    .channels()
    .leftJoin('user', 'user.id', 'channel.owner_user_id')
    .select([
      'channel.id',
      'channel.name',
      'channel.kind',
      'channel.project_id as projectId',
      'channel.config',
      'channel.state',
      'channel.state_at as stateAt',
      'channel.disabled_reason as disabledReason',
      'channel.retry_at as retryAt',
      'user.name as owner',
    ])
    .where('channel.id', '=', channelId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { config, ...channel } = row
  const { count, since } = await viewer.control
    .outbox()
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('outbox.created_at').as('since')])
    .where('outbox.channel_id', '=', channelId)
    .where('outbox.state', '=', 'queued')
    .where('outbox.summary_id', 'is', null)
    .executeTakeFirstOrThrow()
  const waiting = { count: Number(count), since: since === null ? null : Number(since) }
  return { ...channel, ...readShown(config), waiting, condition: conditionOf({ ...channel, waiting }, viewer.now) }
}

const maxDeliveries = 100

/** Attempts, newest first, of one channel or of all. */
export function listDeliveries(viewer: Viewer, channelId?: number) {
  return viewer.control
    .deliveries()
    .select([
      'delivery.id',
      'delivery.at',
      'delivery.title',
      'delivery.attempt',
      'delivery.status',
      'delivery.latency_ms as latencyMs',
      'delivery.response',
      'delivery.outcome',
      'delivery.outbox_id as messageId',
      'channel.id as channelId',
      'channel.name as channel',
    ])
    .$if(channelId !== undefined, query => query.where('channel.id', '=', channelId ?? 0))
    .orderBy('delivery.at', 'desc')
    .orderBy('delivery.id', 'desc')
    .limit(maxDeliveries)
    .execute()
}
export type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number]

/** Messages of a channel that wait or are dead, with what was last shown of them, and what they say. */
export async function listPendingMessages(viewer: Viewer, channelId: number) {
  const rows = await viewer.control
    .outbox()
    .select(eb => [
      'outbox.id',
      'outbox.state',
      'outbox.attempts',
      'outbox.not_before as notBefore',
      'outbox.last_error as lastError',
      'outbox.created_at as createdAt',
      'outbox.message',
      eb
        .selectFrom('delivery')
        .select('delivery.title')
        .whereRef('delivery.outbox_id', '=', 'outbox.id')
        .orderBy('delivery.id', 'desc')
        .limit(1)
        .as('title'),
    ])
    .where('outbox.channel_id', '=', channelId)
    .where('outbox.state', 'in', ['queued', 'dead'])
    .where('outbox.summary_id', 'is', null)
    .orderBy('outbox.state')
    .orderBy('outbox.id', 'desc')
    .limit(maxDeliveries)
    .execute()
  return rows.map(({ message, ...row }) => ({ ...row, message: jsonOf(message) }))
}
