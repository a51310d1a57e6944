import { randomBytes } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { endLinks } from './one-time-token.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { findPasswordFault, type PasswordFault } from './password-rules.ts'
import { endSessions } from './sessions.ts'

type SetPasswordResult = { ok: true } | { ok: false; code: PasswordFault | 'password_wrong' | 'user_not_found' }

type Change = {
  userId: string
  next: string
  /** The present password; null if a one-time link has shown who it is. */
  current: string | null
  /** The session that stays. All others end, because one of them may be the reason for the change. */
  keepSession: string | null
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
  return inTransaction<SetPasswordResult>(context, async inner => {
    await storeHash(inner, given.userId, hash)
    await endSessions(inner, given.userId, { except: given.keepSession })
    await endLinks(inner, given.userId)
    const action = given.current === null ? 'user.password_reset' : 'user.password_change'
    await writeAudit(inner, { organizationId: null, action, target: `user:${given.userId}` })
    return { ok: true }
  })
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
