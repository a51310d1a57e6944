import { createHash } from 'node:crypto'
import type { CommandContext } from '#domain/access/command-context.ts'

/** The code of the error for the second use of a code. */
export const codeSpent = 'CODE_SPENT'

/** A code is valid for its half minute and the two around it. */
const keptMs = 5 * 60_000

/** A code of an authenticator app works once (RFC 6238, 5.2): whoever has seen it typed can't use it. False if it was used before. */
export async function spendCode(
  { db, now }: Pick<CommandContext, 'db' | 'now'>,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const code_hash = createHash('sha256').update(`${userId}:${code}`).digest('hex')
  await db
    .deleteFrom('spent_code')
    .where('user_id', '=', userId)
    .where('spent_at', '<', now() - keptMs)
    .execute()
  const spent = await db
    .insertInto('spent_code')
    .values({ user_id: userId, code_hash, spent_at: now() })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}
