import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { createOneTimeToken } from './one-time-token.ts'
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

export const loginLinkPath = (token: string): string => `/login/link/${token}`

export function findUser({ db }: CommandContext, email: string) {
  return db
    .selectFrom('user')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
}
