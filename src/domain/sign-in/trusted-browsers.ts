import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { timeOf } from './auth-time.ts'

/** A browser that skips the code of the authenticator app, after the right password. */
export type TrustedBrowser = { id: string; userAgent: string; address: string; usedAt: number; endsAt: number }

/** How better-auth names its rows. */
export const trustPrefix = 'trust-device-'

/** The trusted browsers of a user, the last used first. better-auth makes a new row at each sign-in, so its age is that of the last use. */
export async function listTrustedBrowsers({ db, now }: CommandContext, userId: string): Promise<TrustedBrowser[]> {
  const rows = await db
    .selectFrom('verification')
    .select(['id', 'userAgent', 'ipAddress', 'createdAt', 'expiresAt'])
    .where('value', '=', userId)
    .where('identifier', 'like', `${trustPrefix}%`)
    .limit(500)
    .execute()
  return rows
    .map(row => ({
      id: row.id,
      userAgent: row.userAgent ?? '',
      address: row.ipAddress ?? '',
      usedAt: timeOf(row.createdAt),
      endsAt: timeOf(row.expiresAt),
    }))
    .filter(({ endsAt }) => endsAt > now())
    .sort((a, b) => b.usedAt - a.usedAt)
}

type EndResult = { ok: true } | { ok: false; code: 'browser_not_found' }

/** The next sign-in in this browser is asked for the code again. Its session stays. */
export function endTrustedBrowser(context: CommandContext, { userId, id }: { userId: string; id: string }) {
  return inTransaction<EndResult>(context, async inner => {
    const row = await inner.db
      .deleteFrom('verification')
      .where('id', '=', id)
      .where('value', '=', userId)
      .where('identifier', 'like', `${trustPrefix}%`)
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'browser_not_found' }
    await writeAudit(inner, { organizationId: null, action: 'user.browser_untrust', target: `user:${userId}` })
    return { ok: true }
  })
}
