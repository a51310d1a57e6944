/**
 * Detectors of the delivery of each organization: channels that fail, and messages that wait although their channel works. What waits can't
 * report itself, so it is reported at the bell and through every other channel.
 */

import type { Transaction } from 'kysely'
import { findRoute } from '#domain/channels/delivery/notice-owner.ts'
import { listStuckChannels, type StuckChannel } from '#domain/channels/delivery/stuck-channels.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import type { Control } from '#store/control/control.ts'
import { isWithin } from '#store/control/due-times.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Finding, recordFinding } from './incidents.ts'
import { judge, type Limits } from './judge.ts'
import { listKeepers, notifyKeepers } from './notify-members.ts'
import type { Enqueue } from './send-to-lane.ts'
import type { IncidentMessage } from './stored-message.ts'

type Trx = Transaction<ControlSchema>
type Db = Control['db']
type Options = { db: Db; enqueue: Enqueue; now: () => number; hasMail: boolean }

const minuteMs = 60_000
/** Ignores short failures, such as a single 500 or a deployment of the receiver. */
const failingForMs = 5 * minuteMs
const maxNamed = 20

/** By kind and organization. Those of an organization are added when there is something to report. */
const keyOf = (kind: Watch['kind'], organizationId: number): string => `channels:${kind}:${organizationId}`

type Watch = {
  kind: 'failing' | 'waiting'
  name: string
  limits: Limits
  forMinutes: number
  value: number
  reason: string
  /** The channels that can't report it. */
  channelIds: number[]
}

export async function watchChannels(options: Options): Promise<void> {
  const { db, now } = options
  const nowMs = now()
  const [failing, stuck, detectors] = await Promise.all([
    listFailingChannels(db, nowMs),
    listStuckChannels(db, nowMs),
    db
      .selectFrom('detector')
      .select(['id', 'key', 'severity', 'organization_id as organizationId'])
      .where('key', 'like', 'channels:%')
      .where(({ or, eb }) => or([eb('severity', '!=', ''), eb('pending', '!=', ''), eb('state', '!=', 'ok')]))
      .execute(),
  ])
  const organizationIds = new Set([...failing, ...stuck, ...detectors].map(each => each.organizationId))
  for (const organizationId of organizationIds)
    for (const watch of [
      watchFailing(failing.filter(each => each.organizationId === organizationId)),
      watchWaiting(stuck.filter(each => each.organizationId === organizationId)),
    ]) {
      const isKnown = detectors.some(({ key }) => key === keyOf(watch.kind, organizationId))
      if (watch.value > 0 || isKnown) await judgeWatch(options, organizationId, watch)
    }
}

function watchFailing(channels: readonly FailingChannel[]): Watch {
  return {
    kind: 'failing',
    name: 'Messages are not delivered',
    limits: { critical: Number.POSITIVE_INFINITY, warning: 0, resolved: null },
    forMinutes: 1,
    value: channels.length,
    reason: channels.length === 0 ? 'all channels deliver' : `channels that fail: ${namesOf(channels)}`,
    channelIds: channels.map(({ id }) => id),
  }
}

/** In minutes. */
function watchWaiting(channels: readonly StuckChannel[]): Watch {
  const minutes = Math.max(0, ...channels.map(({ waitedMs }) => Math.floor(waitedMs / minuteMs)))
  const count = channels.reduce((sum, { messages }) => sum + messages, 0)
  return {
    kind: 'waiting',
    name: 'Messages wait too long',
    limits: { critical: 60, warning: 0, resolved: null },
    forMinutes: 2,
    value: minutes,
    reason:
      channels.length === 0
        ? 'no message waits too long'
        : `${count} ${count === 1 ? 'message waits' : 'messages wait'} for ${namesOf(channels)}, the oldest for ${minutes} min`,
    channelIds: channels.map(({ id }) => id),
  }
}

/** Members read this who do not see every project. */
const namesOf = (channels: readonly { name: string; isPrivate: boolean }[]): string =>
  channels
    .map(({ name, isPrivate }) => (isPrivate ? 'one of a private project' : name))
    .join(', ')
    .slice(0, 300)

type FailingChannel = { id: number; organizationId: number; name: string; isPrivate: boolean }

async function listFailingChannels(db: Db, nowMs: number): Promise<FailingChannel[]> {
  const rows = await db
    .selectFrom('channel')
    .leftJoin('project', 'project.id', 'channel.project_id')
    .select(['channel.id', 'channel.name', 'channel.organization_id as organizationId', 'project.is_private'])
    .where('channel.state', '=', 'failing')
    .where('channel.retired_at', 'is', null)
    .where(eb => eb.not(isWithin('channel.state_at', nowMs, failingForMs)(eb)))
    .orderBy('channel.organization_id')
    .orderBy('channel.name')
    .execute()
  return [...Map.groupBy(rows, row => row.organizationId).values()].flatMap(own =>
    own.slice(0, maxNamed).map(({ is_private, ...row }) => ({ ...row, isPrivate: is_private === 1 })),
  )
}

async function judgeWatch({ db, enqueue, now, hasMail }: Options, organizationId: number, watch: Watch): Promise<void> {
  const nowMs = now()
  const minute = Math.floor(nowMs / minuteMs) * minuteMs
  const key = keyOf(watch.kind, organizationId)
  const values = {
    key,
    name: watch.name,
    organization_id: organizationId,
    project_id: null,
    rule_id: null,
    value: null,
  }
  await db
    .insertInto('detector')
    .values({ ...values, since: minute, judged_at: 0 })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
  const { id, severity } = await db
    .selectFrom('detector')
    .select(['id', 'severity'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const { value, limits, forMinutes, reason } = watch
  const verdict = judge('above', { value, limits }, severity)
  const finding: Finding = {
    ...{ detectorId: id, verdict, value, limits, forMinutes, isHigherWorse: true },
    ...{ reason: () => reason, metric: '' },
  }
  await retryDeadlocks(() =>
    db.transaction().execute(async trx => {
      const message = await recordFinding(trx, finding, minute)
      if (message === null) return
      const subject = `incident/${message.incidentId}`
      const messageKey = `${subject}/${message.type}/${message.at}`
      await notifyKeepers(trx, { organizationId, message, key: messageKey, nowMs })
      const routes =
        watch.kind === 'failing'
          ? await routeToKeepers(trx, organizationId, watch, { nowMs, hasMail })
          : await routesAround(trx, organizationId, watch, message)
      for (const { channelId, recipients } of routes)
        await enqueue(
          trx,
          { channelId, recipients, message, subject, notBefore: nowMs, key: `${messageKey}/channel:${channelId}` },
          nowMs,
        )
    }),
  )
}

type Route = { channelId: number; recipients: string[] }

async function routeToKeepers(
  trx: Trx,
  organizationId: number,
  { channelIds }: Watch,
  { nowMs, hasMail }: { nowMs: number; hasMail: boolean },
): Promise<Route[]> {
  const about = { organization_id: organizationId, project_id: null, owner_user_id: null, exceptIds: channelIds }
  const route = await findRoute(trx, about, { now: nowMs, hasMail })
  return route === null ? [] : [{ channelId: route.channelId, recipients: route.recipients ?? [] }]
}

/** Every working channel. A channel that reported the opening also reports the end, because a pager must close the alert it opened. */
async function routesAround(
  trx: Trx,
  organizationId: number,
  { channelIds }: Watch,
  { incidentId, type }: IncidentMessage,
): Promise<Route[]> {
  const channels = await trx
    .selectFrom('channel')
    .leftJoin('project', 'project.id', 'channel.project_id')
    .select(['channel.id', 'channel.kind', 'channel.state', 'project.is_private'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('outbox')
          .select('outbox.id')
          .whereRef('outbox.channel_id', '=', 'channel.id')
          .where('outbox.subject', '=', `incident/${incidentId}`),
      ).as('hasHeard'),
    )
    .where('channel.organization_id', '=', organizationId)
    .where('channel.retired_at', 'is', null)
    .where('channel.state', '!=', 'disabled')
    .orderBy('channel.id')
    .execute()
  const chosen = channels.filter(({ id, kind, state, is_private, hasHeard }) =>
    type === 'incident.opened'
      ? state === 'active' && !channelIds.includes(id) && is_private !== 1
      : // The end of the incident closes its page.
        Boolean(hasHeard) && !(type === 'incident.closed' && findKind(kind)?.isPager),
  )
  // Keepers need it once by mail.
  const [mail] = chosen.filter(({ kind }) => kind === 'email')
  const keepers = mail === undefined ? [] : (await listKeepers(trx, organizationId)).map(userId => `user:${userId}`)
  return [
    ...chosen.filter(({ kind }) => kind !== 'email').map(({ id }) => ({ channelId: id, recipients: [] })),
    ...(mail === undefined || keepers.length === 0 ? [] : [{ channelId: mail.id, recipients: keepers }]),
  ]
}
