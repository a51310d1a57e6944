/** Tells the owner of a channel that it was switched off, through another one. */
import type { Transaction } from 'kysely'
import { may } from '#domain/access/permissions.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { disabledNotice } from './own-messages.ts'

type Trx = Transaction<ControlSchema>
type DisabledChannel = {
  id: number
  organization_id: number
  project_id: number | null
  name: string
  kind: string
  owner_user_id: string | null
}

/** Whose messages can't be delivered, and by which channels. */
type Undelivered = Pick<DisabledChannel, 'organization_id' | 'project_id' | 'owner_user_id'> & {
  exceptIds: readonly number[]
}

export async function noticeOwner(
  trx: Trx,
  channel: DisabledChannel,
  { reason, now, hasMail }: { reason: string; now: number; hasMail: boolean },
): Promise<void> {
  const route = await findRoute(trx, { ...channel, exceptIds: [channel.id] }, { now, hasMail })
  if (route === null) return
  const { id: channelId, name, kind } = channel
  await enqueue(
    trx,
    {
      channelId: route.channelId,
      key: `channel-disabled/${channelId}/${now}`,
      subject: `channel/${channelId}`,
      message: disabledNotice({ channelId, name, kind, reason }),
      notBefore: now,
      ...(route.recipients ? { recipients: route.recipients } : {}),
    },
    now,
  )
}

/**
 * Picks mail to the owner, or to the members who can repair the channel if the owner has left. Without mail, picks another channel,
 * preferably one that works.
 */
export async function findRoute(trx: Trx, channel: Undelivered, { now, hasMail }: { now: number; hasMail: boolean }) {
  const others = await trx
    .selectFrom('channel')
    .select(['id', 'kind', 'project_id', 'state'])
    .where('organization_id', '=', channel.organization_id)
    .where('id', 'not in', [0, ...channel.exceptIds])
    .where('state', '!=', 'disabled')
    .where('retired_at', 'is', null)
    .orderBy('id')
    .execute()
  const working = [
    ...others.filter(({ state }) => state === 'active'),
    ...others.filter(({ state }) => state !== 'active'),
  ]
  if (hasMail) {
    const mail =
      working.find(({ kind }) => kind === 'email')?.id ?? (await createMailChannel(trx, channel.organization_id, now))
    if (mail !== null) return { channelId: mail, recipients: await findKeepers(trx, channel) }
  }
  // Readers of other channels must not learn of a private project.
  const isHidden = await isPrivate(trx, channel)
  const other = working.find(
    ({ kind, project_id }) => kind !== 'email' && (!isHidden || project_id === channel.project_id),
  )
  return other === undefined ? null : { channelId: other.id, recipients: null }
}

async function isPrivate(trx: Trx, { project_id }: Undelivered): Promise<boolean> {
  if (project_id === null) return false
  const project = await trx.selectFrom('project').select('is_private').where('id', '=', project_id).executeTakeFirst()
  return project?.is_private === 1
}

/** The owner, if there still is one. Owners and admins see every project. */
async function findKeepers(trx: Trx, { organization_id, owner_user_id }: Undelivered): Promise<string[]> {
  const members = await trx
    .selectFrom('member')
    .select(['user_id', 'role'])
    .where('organization_id', '=', organization_id)
    .orderBy('user_id')
    .execute()
  const owner = members.filter(({ user_id }) => user_id === owner_user_id)
  const keepers = owner.length > 0 ? owner : members.filter(({ role }) => may(role, 'channel:write'))
  return keepers.map(({ user_id }) => `user:${user_id}`)
}

const mailChannelName = 'Email to members'

/** The email channel that an organization has without anybody creating one. Null if its name is taken. */
export async function createMailChannel(trx: Trx, organizationId: number, now: number): Promise<number | null> {
  const to = 'assignee, members'
  const row = await trx
    .insertInto('channel')
    .values({
      organization_id: organizationId,
      project_id: null,
      name: mailChannelName,
      kind: 'email',
      config: JSON.stringify({ settings: { to }, target: to }),
      state_at: now,
      owner_user_id: null,
      created_at: now,
    })
    .onConflict(conflict => conflict.columns(['organization_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}
