import { headers } from 'next/headers'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { revokeCredentials } from '#domain/sign-in/revoke-credentials.ts'
import { markStrong } from '#domain/sign-in/sessions.ts'
import { codeSpent, spendCode } from '#domain/sign-in/spend-code.ts'
import { drawQrCode, qrPath } from '#lib/qr-code/qr-code.ts'
import { getAuth, isClientError } from './auth.ts'
import type { FactorOwner } from './factor-guard.ts'
import { guessSecret, noteSignIn } from './sign-in.ts'
import type { SignedIn } from './viewer.ts'
import { webContext } from './web-context.ts'

type CodeResult = { ok: true } | { ok: false; code: 'code_wrong' | 'code_spent' | 'code_locked' | 'code_expired' }

/** The second step of a sign-in: six digits of the app, or a recovery code, which works once. better-auth limits the guesses. */
export async function signInWithCode(given: {
  code: string
  isRecovery: boolean
  trustsBrowser: boolean
}): Promise<CodeResult> {
  const auth = await getAuth()
  const call = { headers: await headers() }
  try {
    const { user } = given.isRecovery
      ? await auth.api.verifyBackupCode({ ...call, body: { code: given.code.trim() } })
      : await auth.api.verifyTOTP({ ...call, body: { code: digitsOf(given.code), trustDevice: given.trustsBrowser } })
    await noteSignIn(user.id, given.isRecovery ? 'recovery' : 'totp')
    return { ok: true }
  } catch (error) {
    if (!isClientError(error)) throw error
    return { ok: false, code: faultOf(error.body?.code) }
  }
}

const digitsOf = (typed: string): string => typed.replace(/\D/g, '')

function faultOf(code: string | undefined): Extract<CodeResult, { ok: false }>['code'] {
  if (code === 'INVALID_TWO_FACTOR_COOKIE' || code === 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE') return 'code_expired'
  if (code === codeSpent) return 'code_spent'
  return code === 'ACCOUNT_TEMPORARILY_LOCKED' || code === 'ACCOUNT_LOCKED' ? 'code_locked' : 'code_wrong'
}

type ConfirmedResult = { ok: true } | { ok: false; code: 'code_wrong' | 'too_many_guesses' | 'session_not_found' }

type Shown = { code: string; isRecovery: boolean }

/**
 * Shows the app to a session that has not shown it: after single sign-on, or before factors are changed. A recovery code stands for it
 * and is used up.
 */
export async function strengthenSession(
  context: CommandContext,
  user: SignedIn,
  { code, isRecovery }: Shown,
): Promise<ConfirmedResult> {
  // better-auth would switch on an app whose first code is still due.
  if (!user.hasApp) return { ok: false, code: 'code_wrong' }
  const guessed = await guessSecret(user.email, async () => {
    const auth = await getAuth()
    const call = { headers: await headers() }
    if (isRecovery) await auth.api.verifyBackupCode({ ...call, body: { code: code.trim() } })
    else await auth.api.verifyTOTP({ ...call, body: { code: digitsOf(code) } })
  })
  if (!guessed.ok) return { ok: false, code: guessed.code === 'wrong' ? 'code_wrong' : 'too_many_guesses' }
  if (!isRecovery && !(await spendCode(context, { userId: user.id, code: digitsOf(code) })))
    return { ok: false, code: 'code_wrong' }
  return (await markStrong(context, user)) ? { ok: true } : { ok: false, code: 'session_not_found' }
}

type PasswordResult = { ok: false; code: 'password_wrong' | 'too_many_guesses' }
/** What the app scans, and the same as text. */
export type AppSecret = { path: string; size: number; text: string }
type StartResult = { ok: true; secret: AppSecret } | PasswordResult

/** Creates the secret of an authenticator app. It counts only after `confirmApp`. */
export async function startApp({ user }: FactorOwner, password: string): Promise<StartResult> {
  const result = await withPassword(user, async auth =>
    auth.api.enableTwoFactor({ headers: await headers(), body: { password, method: 'totp' } }),
  )
  if (!result.ok) return result
  const uri = 'totpURI' in result.value ? result.value.totpURI : ''
  const rows = drawQrCode(uri)
  const text = new URL(uri).searchParams.get('secret') ?? ''
  return { ok: true, secret: { path: qrPath(rows), size: rows.length, text: text.match(/.{1,4}/g)?.join(' ') ?? text } }
}

type ConfirmResult = { ok: true; recoveryCodes: string[] } | { ok: false; code: 'code_wrong' }

/** The first code of the app switches it on and gives the recovery codes. Sessions without a second factor end, and trust in browsers. */
export async function confirmApp({ user }: FactorOwner, code: string): Promise<ConfirmResult> {
  const auth = await getAuth()
  try {
    // This replaces the session of this browser by one with a second factor.
    await auth.api.verifyTOTP({ headers: await headers(), body: { code: digitsOf(code) } })
  } catch (error) {
    if (isClientError(error)) return { ok: false, code: 'code_wrong' }
    throw error
  }
  await revoke(user, 'app_added')
  const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId: user.id } })
  return { ok: true, recoveryCodes: backupCodes }
}

type RemoveResult = { ok: true } | PasswordResult

export async function removeApp({ user }: FactorOwner, password: string): Promise<RemoveResult> {
  const result = await withPassword(user, async auth =>
    auth.api.disableTwoFactor({ headers: await headers(), body: { password } }),
  )
  if (!result.ok) return result
  await revoke(user, 'app_removed')
  return { ok: true }
}

const revoke = (user: SignedIn, reason: 'app_added' | 'app_removed') =>
  inTransaction(webContext(`user:${user.id}`), async inner => {
    await revokeCredentials(inner, reason, { userId: user.id })
    return { ok: true }
  })

type CodesResult = { ok: true; recoveryCodes: string[] } | PasswordResult

/** Replaces all recovery codes, used or not. */
export async function renewRecoveryCodes({ user }: FactorOwner, password: string): Promise<CodesResult> {
  const result = await withPassword(user, async auth =>
    auth.api.generateBackupCodes({ headers: await headers(), body: { password } }),
  )
  if (!result.ok) return result
  const target = `user:${user.id}`
  await writeAudit(webContext(target), { organizationId: null, action: 'user.recovery_codes', target })
  return { ok: true, recoveryCodes: result.value.backupCodes }
}

/** better-auth checks the password, unless the account has none. Guesses are limited as at sign-in. */
async function withPassword<Value>(
  user: SignedIn,
  work: (auth: Awaited<ReturnType<typeof getAuth>>) => Promise<Value>,
): Promise<{ ok: true; value: Value } | PasswordResult> {
  const guessed = await guessSecret(user.email, async () => work(await getAuth()))
  if (guessed.ok) return guessed
  return { ok: false, code: guessed.code === 'wrong' ? 'password_wrong' : 'too_many_guesses' }
}

/** For the account page. */
export async function countRecoveryCodes(user: SignedIn): Promise<number> {
  if (!user.hasApp) return 0
  const auth = await getAuth()
  const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId: user.id } })
  return backupCodes.length
}
