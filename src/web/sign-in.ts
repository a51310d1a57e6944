import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookies, headers } from 'next/headers'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'
import { getAuth } from './auth.ts'
import { getSignInLimit } from './guess-limit.ts'
import { clientGroup } from './request-headers.ts'

type SignInResult = { ok: true } | { ok: false; code: 'wrong' } | { ok: false; code: 'too_many'; waitMs: number }

/**
 * Sets the session cookie on success. better-auth only limits its HTTP routes, hence the limit here. A missing account costs the same
 * hash and counts the same, so neither timing nor the limit reveals which accounts exist.
 */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  const requestHeaders = await headers()
  const jar = await cookies()
  const { config, log } = getRuntime()
  const secret = loadSecret(config)
  const account = email.trim().toLowerCase()
  const address = clientGroup(requestHeaders, config.trustedProxies)
  const device = readDevice(secret, account, jar.get(deviceCookie)?.value)
  const reserved = getSignInLimit().reserve({ account, address, device })
  if (!reserved.ok) {
    log.warn({ address, waitMs: reserved.waitMs }, 'sign-in throttled')
    return { ok: false, code: 'too_many', waitMs: reserved.waitMs }
  }
  try {
    const auth = await getAuth()
    await auth.api.signInEmail({ body: { email: account, password }, headers: requestHeaders })
  } catch (error) {
    if (isClientError(error)) {
      log.info({ address }, 'sign-in failed')
      return { ok: false, code: 'wrong' }
    }
    reserved.refund()
    throw error
  }
  reserved.succeed()
  jar.set(deviceCookie, signDevice(secret, account, device ?? undefined), {
    maxAge: deviceCookieSeconds,
    sameSite: 'lax',
    httpOnly: true,
    secure: config.publicUrl.startsWith('https:'),
  })
  return { ok: true }
}

/** better-auth throws a 4xx error for a wrong password or a malformed email; others are errors of ours. */
function isClientError(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}

/** Marks a browser that has signed in to an account before. It only separates wrong guesses of others from the owner's. */
const deviceCookie = 'hydrant.device'
const deviceCookieSeconds = 365 * 24 * 60 * 60

/** `<id>.<signature>`: signed, so that an attacker can't invent a new browser for each guess. */
export function signDevice(secret: string, account: string, id = randomBytes(12).toString('hex')): string {
  return `${id}.${signatureOf(secret, account, id)}`
}

/** The id of the browser if the signature is valid for this account. */
export function readDevice(secret: string, account: string, cookie: string | undefined): string | null {
  const [, id = '', signature = ''] = /^([0-9a-f]{24})\.([0-9a-f]{64})$/.exec(cookie ?? '') ?? []
  const right = Buffer.from(signatureOf(secret, account, id))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right) ? id : null
}

const signatureOf = (secret: string, account: string, id: string): string =>
  createHmac('sha256', secret).update(`device:${id}:${account}`).digest('hex')
