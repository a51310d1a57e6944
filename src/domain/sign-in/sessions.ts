import { sql } from 'kysely'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { timeOf } from './auth-time.ts'
import { revokeCredentials } from './revoke-credentials.ts'

export type MemberSession = {
  id: string
  /** Null for sessions that began before Hydrant stored it. */
  method: string | null
  address: string
  userAgent: string
  createdAt: number
  seenAt: number
}

/** The sessions of a user that have not ended, the last used first. */
export async function listSessions({ db, now }: CommandContext, userId: string): Promise<MemberSession[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'method', 'ipAddress', 'userAgent', 'createdAt', 'expiresAt', 'seenAt'])
    .where('userId', '=', userId)
    .limit(500)
    .execute()
  return rows
    .filter(({ expiresAt }) => timeOf(expiresAt) > now())
    .map(row => ({
      id: row.id,
      method: row.method,
      address: row.ipAddress ?? '',
      userAgent: row.userAgent ?? '',
      createdAt: timeOf(row.createdAt),
      seenAt: row.seenAt ?? timeOf(row.createdAt),
    }))
    .sort((a, b) => b.seenAt - a.seenAt)
}

/** Whether a session with this token goes on. */
export async function isSessionOpen({ db, now }: CommandContext, token: string): Promise<boolean> {
  const row = await db.selectFrom('session').select('expiresAt').where('token', '=', token).executeTakeFirst()
  return row !== undefined && timeOf(row.expiresAt) > now()
}

type EndResult = { ok: true; ended: number } | { ok: false; code: 'session_not_found' }

/** Ends one session of the user. Its browser is signed out with the next request. */
export function endSession(context: CommandContext, given: { userId: string; sessionId: string }) {
  return inTransaction<EndResult>(context, async inner => {
    const row = await inner.db
      .deleteFrom('session')
      .where('id', '=', given.sessionId)
      .where('userId', '=', given.userId)
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'session_not_found' }
    await writeAudit(inner, { organizationId: null, action: 'user.session_end', target: `user:${given.userId}` })
    return { ok: true, ended: 1 }
  })
}

/** Ends all sessions of the user apart from one, and the trust in every browser. */
export function endOtherSessions(context: CommandContext, given: { userId: string; sessionId: string }) {
  return inTransaction<EndResult & { ok: true; browsers: number }>(context, async inner => {
    const { userId, sessionId } = given
    const ended = await revokeCredentials(inner, 'other_sessions_ended', { userId, keepSession: sessionId })
    return { ok: true, ended: ended.sessions ?? 0, browsers: ended.trustedBrowsers ?? 0 }
  })
}

/** The member has shown a second factor in this session. False if the session has ended. */
export async function markStrong(
  { db, now }: CommandContext,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    // 1 on SQLite and a boolean on PostgreSQL, which are the types better-auth reads.
    .set({ secondFactor: sql`true`, factorAt: now() })
    .where('id', '=', sessionId)
    .where('userId', '=', id)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

const seenEveryMs = 5 * 60_000

type Used = { id: string; createdAt: number; seenAt: number | null }

/** Notes that a session is in use, at most every five minutes. False if it was idle for too long, which ends it. */
export async function touchSession(
  { db, now }: CommandContext,
  { id, createdAt, seenAt }: Used,
  idleLimitMs: number,
): Promise<boolean> {
  const idleMs = now() - (seenAt ?? createdAt)
  if (idleMs > idleLimitMs) {
    await db.deleteFrom('session').where('id', '=', id).execute()
    return false
  }
  if (seenAt === null || idleMs > seenEveryMs)
    await db.updateTable('session').set({ seenAt: now() }).where('id', '=', id).execute()
  return true
}
