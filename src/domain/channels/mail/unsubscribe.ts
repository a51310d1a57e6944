/** Signed links with which a recipient ends the mail of a channel, without signing in. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { jsonOf, numberOf, textOf } from '#lib/json-value.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type Subscription = { channelId: number; email: string }

/** The same for every mail to the address: it never expires, because mail is kept for years. */
export function signUnsubscribe(installationSecret: string, { channelId, email }: Subscription): string {
  const payload = Buffer.from(JSON.stringify([channelId, email.toLowerCase()])).toString('base64url')
  return `${payload}.${signatureOf(installationSecret, payload).toString('base64url')}`
}

/** Null unless we signed it. */
export function readUnsubscribe(installationSecret: string, token: string): Subscription | null {
  const [payload = '', given = ''] = token.split('.')
  const signature = Buffer.from(given, 'base64url')
  const wanted = signatureOf(installationSecret, payload)
  if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return null
  const content = jsonOf(Buffer.from(payload, 'base64url').toString())
  if (!Array.isArray(content)) return null
  return { channelId: numberOf(content[0]) ?? 0, email: textOf(content[1]) }
}

const signatureOf = (installationSecret: string, payload: string): Buffer =>
  createHmac('sha256', installationSecret).update(`unsubscribe:${payload}`).digest()

export async function setSubscribed(
  db: Kysely<ControlSchema>,
  { channelId, email }: Subscription,
  isSubscribed: boolean,
  now: number,
): Promise<void> {
  if (isSubscribed)
    await db
      .deleteFrom('mail_opt_out')
      .where('channel_id', '=', channelId)
      .where('email', '=', email.toLowerCase())
      .execute()
  // From a channel that is deleted there is nothing to unsubscribe.
  else if (await db.selectFrom('channel').select('id').where('id', '=', channelId).executeTakeFirst())
    await db
      .insertInto('mail_opt_out')
      .values({ channel_id: channelId, email: email.toLowerCase(), at: now })
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** What the page says about a signed link; null once the channel is deleted. */
export async function findSubscription(db: Kysely<ControlSchema>, { channelId, email }: Subscription) {
  const row = await db
    .selectFrom('channel')
    .innerJoin('organization', 'organization.id', 'channel.organization_id')
    .leftJoin('mail_opt_out', join =>
      join.onRef('mail_opt_out.channel_id', '=', 'channel.id').on('mail_opt_out.email', '=', email.toLowerCase()),
    )
    .select(['channel.name', 'organization.name as organization', 'mail_opt_out.at as optedOutAt'])
    .where('channel.id', '=', channelId)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { channel: row.name, organization: row.organization, isSubscribed: row.optedOutAt === null }
}
