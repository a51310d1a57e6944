import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { createOneTimeToken, findOneTimeToken, spendOneTimeToken, type TokenPurpose } from './one-time-token.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordFault, type PasswordFault } from './password-rules.ts'
import { type Ended, revokeCredentials } from './revoke-credentials.ts'
import { replacePassword } from './set-password.ts'
import { findWouldEnd, verifyAddress } from './verify-address.ts'

export const linkMinutes = 10

type LoginLinkResult = { ok: true; path: string } | { ok: false; code: 'user_not_found' }

type Wanted = { email: string; resetsTwoFactor: boolean }

/** A link that signs in once, for whoever runs Hydrant's terminal: the first sign-in, or the way back without mail or device. */
export function createLoginLink(context: CommandContext, { email, resetsTwoFactor }: Wanted): Promise<LoginLinkResult> {
  return inTransaction<LoginLinkResult>(context, async inner => {
    const user = await findUser(inner, email)
    if (user === undefined) return { ok: false, code: 'user_not_found' }
    if (resetsTwoFactor) await revokeCredentials(inner, 'two_factor_reset', { userId: user.id })
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

type FoundLink = {
  userId: string
  email: string
  name: string
  /** The credentials that this sign-in ends because the address was never verified. Null if it was. */
  wouldEnd: Ended | null
}

/** Whose link it is, without using it up. */
export async function findLoginLink(context: CommandContext, token: string): Promise<FoundLink | null> {
  for (const purpose of purposes) {
    const found = await findOneTimeToken(context, { purpose, token })
    if (!found?.userId || !found.email) continue
    const { userId, email, name } = found
    return { userId, email, name: name ?? '', wouldEnd: await findWouldEnd(context, email) }
  }
  return null
}

const purposes: readonly TokenPurpose[] = ['link', 'mail-link']

type Spent = { ok: true; userId: string } | { ok: false; code: 'link_invalid' | PasswordFault }

/**
 * Uses up the link. It came from an email to the address or from the operator, so it proves that the address belongs to the person: the
 * first time, all earlier credentials end. A given password becomes the password of the account and ends all sessions.
 */
export async function spendLoginLink(
  context: CommandContext,
  { token, password }: { token: string; password: string | null },
): Promise<Spent> {
  const owner = await findLoginLink(context, token)
  if (owner === null) return { ok: false, code: 'link_invalid' }
  const fault = password === null ? null : findPasswordFault(password, owner)
  if (fault !== null) return { ok: false, code: fault }
  // Slow on purpose, so not inside the transaction.
  const hash = password === null ? null : await hashPassword(password)
  return inTransaction<Spent>(context, async inner => {
    const printed = await spendOneTimeToken(inner, { purpose: 'link', token })
    const spent = printed ?? (await spendOneTimeToken(inner, { purpose: 'mail-link', token }))
    if (!spent?.userId) return { ok: false, code: 'link_invalid' }
    const { userId } = spent
    const own = { ...inner, actor: `user:${userId}` }
    await verifyAddress(own, { userId, by: printed ? 'terminal' : 'mail' })
    if (hash !== null) await replacePassword(own, 'password_reset', { userId, hash })
    return { ok: true, userId }
  })
}

export function findUser({ db }: CommandContext, email: string) {
  return db
    .selectFrom('user')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
}
