/** Puts a message at the bell of every member who may see its project and has not switched such messages off. */
import type { Transaction } from 'kysely'
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
  const rows = audience.userIds.filter(isAddressed).flatMap(userId => {
    const wanted = forMember(message, type => audience.wants(userId, type))
    if (wanted === null) return []
    return [
      {
        organization_id: audience.organizationId,
        user_id: userId,
        project_id: projectId,
        key,
        message: JSON.stringify(wanted),
        at: nowMs,
        read_at: null,
      },
    ]
  })
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
  const members = await trx
    .selectFrom('member')
    .select(['user_id as userId', 'role'])
    .where('organization_id', '=', project.organization_id)
    .orderBy('user_id')
    .execute()
  const sees = await readSight(trx, [projectId])
  const chosen = await trx
    .selectFrom('notification_setting')
    .select(['user_id', 'type', 'in_app'])
    .where('organization_id', '=', project.organization_id)
    .execute()
  const settings = new Map(chosen.map(row => [`${row.user_id} ${row.type}`, row.in_app === 1]))
  return {
    organizationId: project.organization_id,
    userIds: members.filter(member => sees(member, projectId)).map(({ userId }) => userId),
    wants: (userId: string, type: string): boolean => {
      const setting = settingOf(type)
      return settings.get(`${userId} ${setting}`) ?? notificationTypes[setting].inApp
    },
  }
}
