import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'

export const cookiePrefix = 'hydrant'

/** Without this cookie there is no session, which saves a call of better-auth. On https its name has a prefix. */
const sessionCookie = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${cookiePrefix}\\.session_token=`)
export const hasSessionCookie = (headers: Headers): boolean => sessionCookie.test(headers.get('cookie') ?? '')

/** The password was right, and the code of the authenticator app is missing. */
const codeCookie = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${cookiePrefix}\\.two_factor=`)
export const hasCodeCookie = (headers: Headers): boolean => codeCookie.test(headers.get('cookie') ?? '')

const key = Symbol.for('hydrant.auth')
const holder = globalThis as { [key]?: ReturnType<typeof openAuth> }

export function getAuth() {
  holder[key] ??= openAuth().catch(resetAuth)
  return holder[key]
}

/** After a failure the next call tries again. */
function resetAuth(reason: unknown): never {
  delete holder[key]
  throw reason
}

/** Loaded on first use, because it takes a quarter of a second. */
async function openAuth() {
  const { createAuth } = await import('./create-auth.ts')
  const { config, control, clock } = getRuntime()
  const auth = createAuth({ config, control, secret: loadSecret(config), now: clock.now })
  // Rejects while the tables are missing. Not awaited, auth would stay broken after they are there.
  await auth.$context
  return auth
}

/** better-auth throws a 4xx error for a wrong password, code or email; others are errors of ours. */
export function isClientError(error: unknown): error is Error & { statusCode: number; body?: { code?: string } } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}
