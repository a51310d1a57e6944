import { sql } from 'kysely'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { createOneTimeToken, findOneTimeToken, spendOneTimeToken } from './one-time-token.ts'
import { resetTwoFactor } from './second-factor.ts'

export const linkMinutes = 10

type LoginLinkResult = { ok: true; path: string } | { ok: false; code: 'user_not_found' }

type Wanted = { email: string; resetsTwoFactor: boolean }

/** A link that signs in once, for whoever runs Hydrant's terminal: the first sign-in, or the way back without mail or device. */
export function createLoginLink(context: CommandContext, { email, resetsTwoFactor }: Wanted): Promise<LoginLinkResult> {
  return inTransaction<LoginLinkResult>(context, async inner => {
    const user = await findUser(inner, email)
    if (user === undefined) return { ok: false, code: 'user_not_found' }
    if (resetsTwoFactor) await resetTwoFactor(inner, user.id)
    const token = await createOneTimeToken(inner, { purpose: 'link', userId: user.id, lifeMs: linkMinutes * 60_000 })
    await writeAudit(inner, { organizationId: null, action: 'user.login_link', target: `user:${user.id}` })
    return { ok: true, path: loginLinkPath(token) }
  })
}

/** The same for whoever reads the mail of an account. */
export function createMailLink(context: CommandContext, { email }: { email: string }): Promise<LoginLinkResult> {
  return inTransaction<LoginLinkResult>(context, async inner => {
    const user = await findUser(inner, email)
    if (user === undefined) return { ok: false, code: 'user_not_found' }
    const token = await createOneTimeToken(inner, {
      purpose: 'mail-link',
      userId: user.id,
      lifeMs: linkMinutes * 60_000,
    })
    const target = `user:${user.id}`
    await writeAudit(inner, { organizationId: null, action: 'user.login_link', target, detail: { by: 'mail' } })
    return { ok: true, path: loginLinkPath(token) }
  })
}

export const loginLinkPath = (token: string): string => `/login/link/${token}`

/** Whose link it is, without using it up. */
export async function findLoginLink(context: CommandContext, token: string) {
  const found =
    (await findOneTimeToken(context, { purpose: 'link', token })) ??
    (await findOneTimeToken(context, { purpose: 'mail-link', token }))
  return found?.userId && found.email ? { userId: found.userId, email: found.email, name: found.name ?? '' } : null
}

/** Uses the link up. Whoever used one that was mailed reads the mail of the address. */
export async function spendLoginLink(context: CommandContext, token: string): Promise<string | null> {
  const printed = await spendOneTimeToken(context, { purpose: 'link', token })
  if (printed?.userId) return printed.userId
  const mailed = await spendOneTimeToken(context, { purpose: 'mail-link', token })
  if (!mailed?.userId) return null
  await context.db
    .updateTable('user')
    // 1 on SQLite and a boolean on PostgreSQL, which are the types better-auth reads.
    .set({ emailVerified: sql`true` })
    .where('id', '=', mailed.userId)
    .execute()
  return mailed.userId
}

export function findUser({ db }: CommandContext, email: string) {
  return db
    .selectFrom('user')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
}
