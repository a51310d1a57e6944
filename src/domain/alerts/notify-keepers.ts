/** Notifies owners and admins about problems that only they can fix: at the bell, and through a channel that works. */
import type { Transaction } from 'kysely'
import { may } from '#domain/access/permissions.ts'
import { notificationTypes, settingOf } from '#domain/channels/notification-settings.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { SingleMessage } from './stored-message.ts'

type Trx = Transaction<ControlSchema>
type Notice = { organizationId: number; message: SingleMessage; key: string; nowMs: number }

/** Those who can repair channels, as the outbox names them. */
export async function listKeepers(trx: Trx, organizationId: number): Promise<string[]> {
  const members = await trx
    .selectFrom('member')
    .select(['user_id', 'role'])
    .where('organization_id', '=', organizationId)
    .orderBy('user_id')
    .execute()
  return members.filter(({ role }) => may(role, 'channel:write')).map(({ user_id }) => user_id)
}

export async function notifyKeepers(trx: Trx, { organizationId, message, key, nowMs }: Notice): Promise<void> {
  const setting = settingOf(message.type)
  const chosen = await trx
    .selectFrom('notification_setting')
    .select(['user_id', 'in_app'])
    .where('organization_id', '=', organizationId)
    .where('type', '=', setting)
    .execute()
  const settings = new Map(chosen.map(row => [row.user_id, row.in_app === 1]))
  const rows = (await listKeepers(trx, organizationId))
    .filter(userId => settings.get(userId) ?? notificationTypes[setting].inApp)
    .map(userId => ({
      organization_id: organizationId,
      user_id: userId,
      project_id: message.projectId,
      key,
      message: JSON.stringify(message),
      at: nowMs,
      read_at: null,
    }))
  for (const chunk of chunksOf(rows))
    await trx
      .insertInto('notification')
      .values(chunk)
      .onConflict(conflict => conflict.columns(['user_id', 'key']).doNothing())
      .execute()
}
