import type { CommandContext } from './command-context.ts'

const everyMs = 60_000 // a build asks many times a second; a minute is as exact as "last used" needs to be

/** Notes that a token was used, without asking the database where that is known. No audit entry: what was done with it writes its own. */
export async function touchAuthToken(
  { db, now }: CommandContext,
  { id, lastUsedAt }: { id: number; lastUsedAt: number | null },
): Promise<void> {
  const at = now()
  if (lastUsedAt !== null && lastUsedAt > at - everyMs) return
  await db.updateTable('auth_token').set({ last_used_at: at }).where('id', '=', id).execute()
}
