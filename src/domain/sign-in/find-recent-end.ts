import type { CommandContext } from '#domain/access/command-context.ts'
import { objectOf } from '#lib/json-value.ts'
import type { Ended, Reason } from './revoke-credentials.ts'

/** The sessions and credentials that an account recently lost, counted by kind, and the reason. */
export type RecentEnd = { reason: Extract<Reason, 'address_verified' | 'two_factor_reset'>; ended: Ended }

/** Longer than a link that signs in works. */
const recentMs = 20 * 60_000

const reasons: Record<string, RecentEnd['reason']> = {
  'user.address_verified': 'address_verified',
  'user.two_factor_reset': 'two_factor_reset',
}

/** For the page after the sign-in. Null if nothing has ended lately. The audit log has it, so it survives a closed tab. */
export async function findRecentEnd({ db, now }: CommandContext, userId: string): Promise<RecentEnd | null> {
  const row = await db
    .selectFrom('audit')
    .select(['action', 'detail'])
    .where('target', '=', `user:${userId}`)
    .where('action', 'in', Object.keys(reasons))
    .where('at', '>', now() - recentMs)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const reason = reasons[row?.action ?? '']
  if (row === undefined || reason === undefined) return null
  const counts = Object.entries(objectOf(JSON.parse(row.detail)) ?? {}).filter(([, count]) => typeof count === 'number')
  return counts.length === 0 ? null : { reason, ended: Object.fromEntries(counts) as Ended }
}
