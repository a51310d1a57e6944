import { sql } from 'kysely'
import type { CommandContext } from '#domain/access/command-context.ts'
import { countCredentials, type Ended, revokeCredentials } from './revoke-credentials.ts'

type Proof = {
  userId: string
  /** Who vouches for the address: `mail`, `terminal`, `invitation`, `proxy`, or the name of an identity provider. */
  by: string
  /** The link to this provider stays: the person has just signed in through it. */
  keepProvider?: string | null
}

/**
 * Somebody has shown that the address of an account is theirs. The first time, everything that let anyone in before ends, because an
 * account can be made for an address by whoever has an invitation. Gives what has ended, or null if the address was verified before.
 */
export async function verifyAddress(inner: CommandContext, { userId, by, ...scope }: Proof): Promise<Ended | null> {
  const first = await inner.db
    .updateTable('user')
    // 1 on SQLite and a boolean on PostgreSQL, which are the types better-auth reads.
    .set({ emailVerified: sql`true` })
    .where('id', '=', userId)
    .where('emailVerified', '=', sql`false`)
    .returning('id')
    .executeTakeFirst()
  if (first === undefined) return null
  return revokeCredentials(inner, 'address_verified', { userId, ...scope }, { by })
}

/** What the first proof of this address would end. Null if there is no such account, somebody has proven it, or nothing would end. */
export async function findWouldEnd(context: CommandContext, email: string): Promise<Ended | null> {
  const user = await context.db
    .selectFrom('user')
    .select(['id', 'emailVerified'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  if (user === undefined || user.emailVerified) return null
  // The link that proves it is not worth a word.
  const { links: _, ...ended } = await countCredentials(context, 'address_verified', { userId: user.id })
  return Object.keys(ended).length === 0 ? null : ended
}
