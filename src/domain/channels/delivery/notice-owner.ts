/** Tells the owner of a channel that it was switched off, through another one. */
import type { Transaction } from 'kysely'
import { enqueue } from '#domain/channels/enqueue.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { disabledNotice } from './own-messages.ts'

type Trx = Transaction<ControlSchema>
type DisabledChannel = { id: number; organization_id: number; name: string; kind: string; owner_user_id: string | null }

export async function noticeOwner(
  trx: Trx,
  channel: DisabledChannel,
  { reason, now, hasMail }: { reason: string; now: number; hasMail: boolean },
): Promise<void> {
  const route = await findRoute(trx, channel, { now, hasMail })
  if (route === null) return
  const { id: channelId, name, kind } = channel
  await enqueue(
    trx,
    {
      channelId: route.channelId,
      key: `channel-disabled/${channelId}/${now}`,
      message: disabledNotice({ channelId, name, kind, reason }),
      notBefore: now,
      ...(route.recipients ? { recipients: route.recipients } : {}),
    },
    now,
  )
}

/** By mail to the owner, or else to all members; without mail through any other channel that works. */
async function findRoute(trx: Trx, channel: DisabledChannel, { now, hasMail }: { now: number; hasMail: boolean }) {
  const working = await trx
    .selectFrom('channel')
    .select(['id', 'kind'])
    .where('organization_id', '=', channel.organization_id)
    .where('id', '!=', channel.id)
    .where('state', '!=', 'disabled')
    .orderBy('id')
    .execute()
  if (hasMail) {
    const mail =
      working.find(({ kind }) => kind === 'email')?.id ?? (await createMailChannel(trx, channel.organization_id, now))
    if (mail !== null)
      return {
        channelId: mail,
        recipients: [channel.owner_user_id === null ? 'members' : `user:${channel.owner_user_id}`],
      }
  }
  const other = working.find(({ kind }) => kind !== 'email')
  return other === undefined ? null : { channelId: other.id, recipients: null }
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
