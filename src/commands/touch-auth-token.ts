import type { CommandContext } from './command-context.ts'

const everyMs = 60_000 // a build asks many times a second; a minute is as exact as "last used" needs to be

/** Notes that a token was used. No audit entry: what was done with it writes its own. */
export async function touchAuthToken({ db, now }: CommandContext, tokenId: number): Promise<void> {
  const at = now()
  await db
    .updateTable('auth_token')
    .set({ last_used_at: at })
    .where('id', '=', tokenId)
    .where(where => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', at - everyMs)]))
    .execute()
}
