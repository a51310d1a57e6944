import { randomBytes } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { findPasswordFault, type PasswordFault } from './password-rules.ts'
import { lockUser, revokeCredentials } from './revoke-credentials.ts'

type SetPasswordResult =
  | { ok: true }
  | { ok: false; code: PasswordFault | 'password_wrong' | 'user_not_found' | 'session_not_found' }

type Change = {
  userId: string
  next: string
  /** The current password; null if the account has no password, or if the user came through a one-time link. */
  current: string | null
  /** The session that asks, and stays. All others end, because one of them may be the reason for the change. */
  keepSession: string
}

/** Chooses a new password, also for an account that has none yet. */
export async function setPassword(context: CommandContext, given: Change): Promise<SetPasswordResult> {
  const user = await findPasswordOwner(context, given.userId)
  if (user === undefined) return { ok: false, code: 'user_not_found' }
  if (given.current !== null && !(await isRight(user.password, given.current)))
    return { ok: false, code: 'password_wrong' }
  const fault = findPasswordFault(given.next, user)
  if (fault !== null) return { ok: false, code: fault }
  const hash = await hashPassword(given.next)
  const reason = given.current === null ? 'password_reset' : 'password_change'
  return inTransaction<SetPasswordResult>(context, async inner => {
    await lockUser(inner, given.userId)
    // The session may have ended while the password was hashed, because the account has changed hands.
    const session = await inner.db
      .selectFrom('session')
      .select('id')
      .where('id', '=', given.keepSession)
      .executeTakeFirst()
    if (session === undefined) return { ok: false, code: 'session_not_found' }
    await replacePassword(inner, reason, { userId: given.userId, hash, keepSession: given.keepSession })
    return { ok: true }
  })
}

type NewHash = { userId: string; hash: string; keepSession?: string }

/** Part of a command that has checked who asks. Ends what a new password ends. */
export async function replacePassword(
  inner: CommandContext,
  reason: 'password_change' | 'password_reset',
  { userId, hash, ...scope }: NewHash,
): Promise<void> {
  await revokeCredentials(inner, reason, { userId, ...scope })
  await storeHash(inner, userId, hash)
}

/** The stored hash, to notice a change of it. Null without a password, or without an account. */
export async function findPasswordHash({ db }: CommandContext, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select('account.password')
    .where('user.email', '=', email)
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst()
  return row?.password ?? null
}

type Checked = { email: string; hash: string | null; token: string | null }

/**
 * Checking a password takes long enough for the account to change hands in the meantime. Ends the new session if `hash`, which was read
 * before the check, is no longer the stored one. A password change takes the same lock, so either it ends this session or this function does.
 */
export async function isSamePassword(context: CommandContext, { email, hash, token }: Checked): Promise<boolean> {
  const checked = await inTransaction<{ ok: true; isSame: boolean }>(context, async inner => {
    const user = await inner.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
    if (user !== undefined) await lockUser(inner, user.id)
    const isSame = hash !== null && (await findPasswordHash(inner, email)) === hash
    if (!isSame && token !== null) await inner.db.deleteFrom('session').where('token', '=', token).execute()
    return { ok: true, isSame }
  })
  return checked.isSame
}

/** Whether this is the password of the account. An account without a password costs the same time. */
export async function isPasswordOf(context: CommandContext, userId: string, password: string): Promise<boolean> {
  return isRight((await findPasswordOwner(context, userId))?.password ?? null, password)
}

async function isRight(hash: string | null, password: string): Promise<boolean> {
  if (hash !== null) return verifyPassword({ hash, password })
  await hashPassword(password)
  return false
}

export async function hasPassword(context: CommandContext, userId: string): Promise<boolean> {
  return ((await findPasswordOwner(context, userId))?.password ?? null) !== null
}

function findPasswordOwner({ db }: CommandContext, userId: string) {
  return db
    .selectFrom('user')
    .leftJoin('account', join =>
      join.onRef('account.userId', '=', 'user.id').on('account.providerId', '=', 'credential'),
    )
    .select(['user.email', 'user.name', 'account.password'])
    .where('user.id', '=', userId)
    .executeTakeFirst()
}

/** Also for a hash that is only renewed: then nothing changes for the member. */
export async function storeHash({ db, now }: CommandContext, userId: string, hash: string): Promise<void> {
  const at = new Date(now()).toISOString()
  const updated = await db
    .updateTable('account')
    .set({ password: hash, updatedAt: at })
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  if (Number(updated.numUpdatedRows) > 0) return
  await db
    .insertInto('account')
    .values({
      id: randomBytes(16).toString('hex'),
      accountId: userId,
      providerId: 'credential',
      userId,
      password: hash,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
}
