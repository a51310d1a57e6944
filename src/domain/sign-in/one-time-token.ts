import { createHash, randomBytes } from 'node:crypto'
import type { CommandContext } from '#domain/access/command-context.ts'

/**
 * `link`: signs in, printed by `hydrant login-link`. `mail-link`: the same by mail, which proves the address too. `add-passkey` and
 * `use-passkey`: challenges of the browser's authenticator.
 */
export type TokenPurpose = 'link' | 'mail-link' | 'add-passkey' | 'use-passkey'

type NewToken = { purpose: TokenPurpose; userId: string | null; lifeMs: number }

/** A random token that works once, for a while. Only its hash is stored. */
export async function createOneTimeToken(
  { db, now }: CommandContext,
  { purpose, userId, lifeMs }: NewToken,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.deleteFrom('one_time_token').where('expires_at', '<=', now()).execute()
  await db
    .insertInto('one_time_token')
    .values({
      token_hash: hashOf(token),
      purpose,
      user_id: userId,
      created_at: now(),
      expires_at: now() + lifeMs,
    })
    .execute()
  return token
}

type Given = { purpose: TokenPurpose; token: string }

/** Reads a token without using it up: a link shows a page first, because mail scanners open links. */
export function findOneTimeToken({ db, now }: CommandContext, { purpose, token }: Given) {
  return db
    .selectFrom('one_time_token')
    .leftJoin('user', 'user.id', 'one_time_token.user_id')
    .select(['one_time_token.user_id as userId', 'user.email', 'user.name'])
    .where('one_time_token.token_hash', '=', hashOf(token))
    .where('one_time_token.purpose', '=', purpose)
    .where('one_time_token.expires_at', '>', now())
    .executeTakeFirst()
}

/** Uses the token up: of several at the same time, one gets it. */
export function spendOneTimeToken({ db, now }: CommandContext, { purpose, token }: Given) {
  return db
    .deleteFrom('one_time_token')
    .where('token_hash', '=', hashOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now())
    .returning('user_id as userId')
    .executeTakeFirst()
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')
