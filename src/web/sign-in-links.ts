import { headers } from 'next/headers'
import { createMailLink, linkMinutes, spendLoginLink } from '#domain/sign-in/login-link.ts'
import type { PasswordFault } from '#domain/sign-in/password-rules.ts'
import { reserveMail } from '#domain/sign-in/sign-in-limit.ts'
import { getRuntime } from '#runtime.ts'
import { sendAccountMail } from './account-mail.ts'
import { afterResponse } from './after-response.ts'
import { getAuth } from './auth.ts'
import { clientGroup } from './request-headers.ts'
import { noteSignIn } from './sign-in.ts'
import { webContext } from './web-context.ts'

type LinkResult = { ok: true; needsCode: boolean } | { ok: false; code: 'link_invalid' | PasswordFault }

/**
 * Uses up a link. With a password, it becomes that of the account, and all other sessions end. With `needsCode` there is no session
 * yet: an authenticator app is asked for its code, so a link alone never replaces it, unless it is the first proof of the address.
 */
export async function signInByLink(token: string, password: string | null): Promise<LinkResult> {
  const spent = await spendLoginLink(webContext(), { token, password })
  if (!spent.ok) return spent
  const { needsCode } = await startSession({ userId: spent.userId, method: 'link' })
  return { ok: true, needsCode }
}

/** Mails a link that signs in. The answer is the same whether the account exists, and takes as long: the mail is sent after it. */
export async function mailLink(email: string): Promise<'asked' | 'too_many'> {
  const { config, log, mailer } = getRuntime()
  const account = email.trim().toLowerCase()
  const context = webContext()
  if (!(await reserveMail(context, { account, address: clientGroup(await headers(), config.trustedProxies) })))
    return 'too_many'
  afterResponse(async () => {
    const link = await createMailLink(context, { email: account })
    if (!link.ok || mailer === null) return
    const sent = await sendAccountMail(mailer, config, {
      to: account,
      title: 'Sign in to Hydrant',
      lines: [`This link works once, for ${linkMinutes} minutes. With it you can also choose a new password.`],
      button: { label: 'Sign in', path: link.path },
      note: 'If you did not ask for it, ignore this mail: nothing happens until the link is used.',
    })
    if (!sent.ok) log.warn({ response: sent.response }, 'sign-in link could not be mailed')
  })
  return 'asked'
}

/** `hasFactors`: the way to sign in was two factors of the account, such as a passkey. */
type Start = { userId: string; method: string; hasFactors?: boolean }

/** Signs in without a password. An account with an authenticator app is asked for its code first. `sessionId` is null until then. */
export async function startSession({ userId, method, hasFactors = false }: Start) {
  const auth = await getAuth()
  const factorAt = hasFactors ? getRuntime().clock.now() : null
  const body = { userId, method, secondFactor: hasFactors, factorAt }
  const started = await auth.api.startSession({ body, headers: await headers() })
  if (!started.needsCode) await noteSignIn(userId, method)
  return started
}
