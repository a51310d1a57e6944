import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { CommandContext } from './command-context.ts'
import { writeAudit } from './write-audit.ts'

export type HashedUser = { email: string; name?: string | undefined; passwordHash: string }
export type InsertUserResult = { ok: true; userId: string } | { ok: false; code: 'email_invalid' | 'email_taken' }

/** Writes the two rows that better-auth would have written at sign-up, inside the caller's transaction. */
export async function insertUser(inner: CommandContext, given: HashedUser): Promise<InsertUserResult> {
  const email = given.email.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) return { ok: false, code: 'email_invalid' }
  const userId = randomBytes(16).toString('hex')
  const times = authTimes(inner.now())
  const row = await inner.db
    .insertInto('user')
    .values({
      id: userId,
      name: given.name?.trim() || email.replace(/@.*/, ''),
      email,
      // `false` is 0 on SQLite and a boolean on PostgreSQL, which are the types better-auth reads.
      emailVerified: sql`false`,
      image: null,
      ...times,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) return { ok: false, code: 'email_taken' }
  await inner.db
    .insertInto('account')
    .values({
      id: randomBytes(16).toString('hex'),
      accountId: userId,
      providerId: 'credential',
      userId,
      password: given.passwordHash,
      ...times,
    })
    .execute()
  await writeAudit(inner, { organizationId: null, action: 'user.create', target: `user:${userId}` })
  return { ok: true, userId }
}

/** ISO text: what better-auth keeps on SQLite, and what PostgreSQL reads as a timestamp. */
function authTimes(now: number) {
  const at = new Date(now).toISOString()
  return { createdAt: at, updatedAt: at }
}
