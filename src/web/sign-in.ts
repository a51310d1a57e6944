import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookies, headers } from 'next/headers'
import { hashPassword, needsRehash } from '#domain/sign-in/password-hash.ts'
import { recordSignIn, recordThrottled, type SignInMethod } from '#domain/sign-in/record-sign-in.ts'
import { findPasswordHash, isSamePassword, storeHash } from '#domain/sign-in/set-password.ts'
import { reserveGuess } from '#domain/sign-in/sign-in-limit.ts'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'
import { getAuth, isClientError } from './auth.ts'
import { clientAddress, clientGroup } from './request-headers.ts'
import { webContext } from './web-context.ts'

type Refused = { ok: false; code: 'wrong' } | { ok: false; code: 'too_many'; waitMs: number }
/** With `needsCode` there is no session yet: the authenticator app's code is next. */
type SignInResult = { ok: true; needsCode: boolean } | Refused

/**
 * Sets the session cookie on success. better-auth only limits its HTTP routes, hence the limit here. A missing account costs the same
 * hash and counts the same, so neither timing nor the limit reveals which accounts exist.
 */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  const account = email.trim().toLowerCase()
  const hash = await findPasswordHash(webContext(), account)
  const guessed = await guessSecret(account, async () => {
    const auth = await getAuth()
    return auth.api.signInEmail({ body: { email: account, password }, headers: await headers() })
  })
  if (!guessed.ok) return guessed
  const token = 'token' in guessed.value ? guessed.value.token : null
  if (!(await isSamePassword(webContext(), { email: account, hash, token }))) return { ok: false, code: 'wrong' }
  await rememberBrowser(account)
  if (!('token' in guessed.value)) return { ok: true, needsCode: true }
  const userId = guessed.value.user.id
  await renewHash(userId, password)
  await noteSignIn(userId, 'password')
  return { ok: true, needsCode: false }
}

type Guess<Value> = { ok: true; value: Value } | Refused

/** Counts the guess before it is checked. `check` throws an error of better-auth if the guess is wrong. */
export async function guessSecret<Value>(account: string, check: () => Promise<Value>): Promise<Guess<Value>> {
  const { config, log } = getRuntime()
  const address = clientGroup(await headers(), config.trustedProxies)
  const device = readDevice(loadSecret(config), account, (await cookies()).get(deviceCookie)?.value)
  const reserved = await reserveGuess(webContext(), { account, address, device })
  if (!reserved.ok) {
    log.warn({ address, waitMs: reserved.waitMs }, 'sign-in throttled')
    await recordThrottled(webContext(), { account, address })
    return { ok: false, code: 'too_many', waitMs: reserved.waitMs }
  }
  try {
    const value = await check()
    await reserved.succeed()
    return { ok: true, value }
  } catch (error) {
    if (isClientError(error)) {
      log.info({ address }, 'sign-in failed')
      return { ok: false, code: 'wrong' }
    }
    await reserved.refund()
    throw error
  }
}

/** For the audit log. */
export async function noteSignIn(userId: string, method: SignInMethod): Promise<void> {
  const address = clientAddress(await headers(), getRuntime().config.trustedProxies)
  await recordSignIn(webContext(), { userId, method, address })
}

/** Replaces a hash of an older version while the password is known. */
async function renewHash(userId: string, password: string): Promise<void> {
  const context = webContext()
  const row = await context.db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  if (row?.password && needsRehash(row.password)) await storeHash(context, userId, await hashPassword(password))
}

async function rememberBrowser(account: string): Promise<void> {
  const { config } = getRuntime()
  const secret = loadSecret(config)
  const jar = await cookies()
  const device = readDevice(secret, account, jar.get(deviceCookie)?.value)
  jar.set(deviceCookie, signDevice(secret, account, device ?? undefined), {
    maxAge: deviceCookieSeconds,
    sameSite: 'lax',
    httpOnly: true,
    secure: config.publicUrl.startsWith('https:'),
  })
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
