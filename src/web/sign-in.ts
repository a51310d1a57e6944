import { headers } from 'next/headers'
import { getRuntime } from '#runtime.ts'
import { getAuth } from './auth.ts'
import { getSignInLimit } from './sign-in-limit.ts'

export type SignInResult = { ok: true } | { ok: false; code: 'wrong' } | { ok: false; code: 'too_many'; waitMs: number }

/** Sets the session cookie on success. better-auth limits its HTTP routes only, hence the limit here. */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  const requestHeaders = await headers()
  const account = email.trim().toLowerCase()
  const address = clientAddress(requestHeaders.get('x-forwarded-for'))
  const limit = getSignInLimit()
  const waitMs = limit.waitMs(account, address)
  if (waitMs > 0) return { ok: false, code: 'too_many', waitMs }
  try {
    const auth = await getAuth()
    await auth.api.signInEmail({ body: { email: account, password }, headers: requestHeaders })
  } catch (error) {
    if (!isRefusal(error)) throw error
    limit.fail(account, address)
    getRuntime().log.info({ address }, 'sign-in refused')
    return { ok: false, code: 'wrong' }
  }
  limit.succeed(account)
  return { ok: true }
}

/** better-auth throws for a wrong password and for a malformed address alike; anything in the 500s is a fault of ours. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}

/** Main puts the peer last. Behind a trusted proxy the entry before it is the one that the proxy saw; earlier ones anybody can write. */
function clientAddress(forwardedFor: string | null): string {
  const hops = (forwardedFor ?? '').split(',').map(hop => hop.trim())
  return hops.at(-2) ?? hops.at(-1) ?? ''
}
