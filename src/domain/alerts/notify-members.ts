/**
 * Puts a message at the bell of members who have not switched such messages off: of those who see its project, or of those who can repair
 * what it is about.
 */
import type { Transaction } from 'kysely'
import { may } from '#domain/access/permissions.ts'
import { notificationTypes, settingOf } from '#domain/channels/notification-settings.ts'
import { countOf } from '#domain/channels/worst-first.ts'
import { readSight } from '#domain/projects/unscoped-projects.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { restOf, type SingleMessage, type StoredMessage } from './stored-message.ts'

type Trx = Transaction<ControlSchema>
type Notifying = { trx: Trx; nowMs: number }

/** Only one member, who is the whole audience of the message. */
export async function notifyMember(
  sending: Notifying,
  { userId, projectId, message, key }: { userId: string; projectId: number; message: SingleMessage; key: string },
): Promise<void> {
  await notify(sending, projectId, message, key, id => id === userId)
}

export function notifyMembers(
  sending: Notifying,
  projectId: number,
  message: StoredMessage,
  key: string,
): Promise<void> {
  return notify(sending, projectId, message, key, () => true)
}

async function notify(
  { trx, nowMs }: Notifying,
  projectId: number,
  message: StoredMessage,
  key: string,
  isAddressed: (userId: string) => boolean,
): Promise<void> {
  const audience = await readAudience(trx, projectId)
  if (audience === null) return
  const { organizationId } = audience
  const wants = await readWishes(trx, organizationId)
  const wanted = audience.userIds.filter(isAddressed).flatMap(userId => {
    const part = forMember(message, type => wants(userId, type))
    return part === null ? [] : [{ userId, message: part }]
  })
  await addNotifications(trx, { organizationId, projectId, key, at: nowMs }, wanted)
}

type Notice = { organizationId: number; message: SingleMessage; key: string; nowMs: number }

/** Those who can repair channels. */
export async function notifyKeepers(trx: Trx, { organizationId, message, key, nowMs }: Notice): Promise<void> {
  const wants = await readWishes(trx, organizationId)
  const userIds = (await listKeepers(trx, organizationId)).filter(userId => wants(userId, message.type))
  await addNotifications(
    trx,
    { organizationId, projectId: message.projectId, key, at: nowMs },
    userIds.map(userId => ({ userId, message })),
  )
}

/** Those who can repair channels, as the outbox names them. */
export async function listKeepers(trx: Trx, organizationId: number): Promise<string[]> {
  const members = await listMembers(trx, organizationId)
  return members.filter(({ role }) => may(role, 'channel:write')).map(({ userId }) => userId)
}

type Place = { organizationId: number; projectId: number | null; key: string; at: number }

/** Once for each member and key. */
async function addNotifications(
  trx: Trx,
  { organizationId, projectId, key, at }: Place,
  wanted: readonly { userId: string; message: StoredMessage }[],
): Promise<void> {
  const rows = wanted.map(({ userId, message }) => ({
    organization_id: organizationId,
    user_id: userId,
    project_id: projectId,
    key,
    message: JSON.stringify(message),
    at,
    read_at: null,
  }))
  for (const chunk of chunksOf(rows))
    await trx
      .insertInto('notification')
      .values(chunk)
      .onConflict(conflict => conflict.columns(['user_id', 'key']).doNothing())
      .execute()
}

/** The part that a member wants to hear of; null if nothing is left. */
function forMember(message: StoredMessage, wants: (type: string) => boolean): StoredMessage | null {
  if (message.kind === 'summary') {
    const items: SingleMessage[] = message.items.filter(({ type }) => wants(type))
    const rest = Object.fromEntries(Object.entries(restOf(message)).filter(([type]) => type === 'other' || wants(type)))
    const more = countOf(rest)
    // `rest.other` counts messages without a type. No preference covers them, so they don't justify a notification by themselves.
    if (items.length === 0 && more - (rest.other ?? 0) === 0) return null
    return { ...message, items, more, rest }
  }
  if (message.kind === 'incident' || message.others === undefined) return wants(message.type) ? message : null
  const { others, more: _, cause: __, ...first } = message
  const [head, ...rest] = [first, ...others].filter(({ type }) => wants(type))
  if (head === undefined) return null
  return rest.length === others.length ? message : { ...head, ...(rest.length > 0 ? { others: rest } : {}) }
}

/** Who wants email about a message, as the outbox names them. Each has chosen, the assignee too. */
export async function listMailRecipients(trx: Trx, organizationId: number, message: StoredMessage): Promise<string[]> {
  const [members, chosen] = [
    await trx.selectFrom('member').select('user_id').where('organization_id', '=', organizationId).execute(),
    await trx
      .selectFrom('notification_setting')
      .select(['user_id', 'type', 'email'])
      .where('organization_id', '=', organizationId)
      .execute(),
  ]
  const settings = new Map(chosen.map(row => [`${row.user_id} ${row.type}`, row.email === 1]))
  const others = message.kind === 'issue' ? (message.others ?? []) : []
  const types = (message.kind === 'summary' ? message.items : [message, ...others]).map(({ type }) => type)
  const wants = (userId: string): boolean =>
    types.some(type => settings.get(`${userId} ${settingOf(type)}`) ?? notificationTypes[settingOf(type)].email)
  return members.filter(({ user_id }) => wants(user_id)).map(({ user_id }) => `user:${user_id}`)
}

/** The members who see the project. */
async function readAudience(trx: Trx, projectId: number) {
  const project = await trx
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (project === undefined) return null
  const members = await listMembers(trx, project.organization_id)
  const sees = await readSight(trx, [projectId])
  return {
    organizationId: project.organization_id,
    userIds: members.filter(member => sees(member, projectId)).map(({ userId }) => userId),
  }
}

const listMembers = (trx: Trx, organizationId: number) =>
  trx
    .selectFrom('member')
    .select(['user_id as userId', 'role'])
    .where('organization_id', '=', organizationId)
    .orderBy('user_id')
    .execute()

/** Whether a member wants messages of a type at the bell. */
async function readWishes(trx: Trx, organizationId: number): Promise<(userId: string, type: string) => boolean> {
  const chosen = await trx
    .selectFrom('notification_setting')
    .select(['user_id', 'type', 'in_app'])
    .where('organization_id', '=', organizationId)
    .execute()
  const settings = new Map(chosen.map(row => [`${row.user_id} ${row.type}`, row.in_app === 1]))
  return (userId, type) => {
    const setting = settingOf(type)
    return settings.get(`${userId} ${setting}`) ?? notificationTypes[setting].inApp
  }
}
