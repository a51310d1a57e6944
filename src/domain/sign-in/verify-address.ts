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
 * Marks the address of an account as verified after its owner has proven it. The first proof revokes everything that gave access before,
 * because anyone with an invitation can create an account for an address. Returns what it revoked, or null if the address was verified.
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

/** Counts what the first proof of this address would revoke. Null if the account is missing or verified, or nothing would be revoked. */
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
