import { randomBytes } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { lockUser } from './revoke-credentials.ts'
import { markStrong } from './sessions.ts'

/** The public part of a key that a device or a security key keeps. */
export type Passkey = {
  id: string
  userId: string
  name: string
  credentialId: string
  publicKey: string
  counter: number
  transports: string
  createdAt: number
  lastUsedAt: number | null
}

const columns = [
  'id',
  'user_id as userId',
  'name',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

export const maxPasskeys = 20

export function listPasskeys({ db }: CommandContext, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(maxPasskeys)
    .execute()
}

export function findPasskey({ db }: CommandContext, credentialId: string): Promise<Passkey | undefined> {
  return db.selectFrom('passkey').select(columns).where('credential_id', '=', credentialId).executeTakeFirst()
}

/** Whether anyone has one: until then the sign-in page does not offer them. */
export async function hasAnyPasskey({ db }: CommandContext): Promise<boolean> {
  return (await db.selectFrom('passkey').select('id').limit(1).executeTakeFirst()) !== undefined
}

type NewPasskey = Pick<Passkey, 'userId' | 'name' | 'credentialId' | 'publicKey' | 'counter' | 'transports'> & {
  /** Has shown the key, so it has a second factor from now on. */
  sessionId: string
}
type AddResult = { ok: true } | { ok: false; code: 'passkey_known' | 'too_many_passkeys' | 'session_not_found' }

export function addPasskey(context: CommandContext, given: NewPasskey) {
  return inTransaction<AddResult>(context, async inner => {
    const { sessionId, userId, name, credentialId, publicKey, counter, transports } = given
    await lockUser(inner, userId)
    // The session may have ended since the request began, because the account has changed hands.
    if (!(await markStrong(inner, { id: userId, sessionId }))) return { ok: false, code: 'session_not_found' }
    if ((await listPasskeys(inner, userId)).length >= maxPasskeys) return { ok: false, code: 'too_many_passkeys' }
    const row = await inner.db
      .insertInto('passkey')
      .values({
        ...{
          id: randomBytes(16).toString('hex'),
          user_id: userId,
          name: name.trim() || 'Passkey',
          counter,
          transports,
        },
        credential_id: credentialId,
        public_key: publicKey,
        created_at: inner.now(),
        last_used_at: null,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'passkey_known' }
    await writeAudit(inner, { organizationId: null, action: 'user.passkey_add', target: `user:${userId}` })
    return { ok: true }
  })
}

type RemoveResult = { ok: true } | { ok: false; code: 'passkey_not_found' }

export function deletePasskey(context: CommandContext, { userId, id }: Pick<Passkey, 'userId' | 'id'>) {
  return inTransaction<RemoveResult>(context, async inner => {
    const row = await inner.db
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'passkey_not_found' }
    await writeAudit(inner, { organizationId: null, action: 'user.passkey_remove', target: `user:${userId}` })
    return { ok: true }
  })
}

/** False if the key was used since it was read: of two answers with one counter, one may be a copy. */
export async function notePasskeyUse(
  { db, now }: CommandContext,
  { id, counter }: Passkey,
  newCounter: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter: newCounter, last_used_at: now() })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}
