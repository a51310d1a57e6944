import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'

const sessionSeconds = 30 * 24 * 60 * 60 // server components can't renew a cookie, so it lasts as long as the session

export const cookiePrefix = 'hydrant'

/** Without this cookie there is no session, which saves a call of better-auth. On https its name has a prefix. */
const sessionCookie = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${cookiePrefix}\\.session_token=`)
export const hasSessionCookie = (headers: Headers): boolean => sessionCookie.test(headers.get('cookie') ?? '')

const key = Symbol.for('hydrant.auth')
const holder = globalThis as { [key]?: ReturnType<typeof openAuth> }

/** better-auth on the control database. Accounts are created by commands; there is no public sign-up. */
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
  const [{ betterAuth }, { nextCookies }] = await Promise.all([import('better-auth'), import('better-auth/next-js')])
  const { config, control } = getRuntime()
  const auth = betterAuth({
    baseURL: config.publicUrl,
    secret: loadSecret(config),
    trustedOrigins: [config.publicUrl],
    database: { db: control.db, type: control.dialect },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 8, maxPasswordLength: 128 },
    session: { expiresIn: sessionSeconds, disableSessionRefresh: true },
    advanced: { useSecureCookies: config.publicUrl.startsWith('https:'), cookiePrefix },
    telemetry: { enabled: false },
    plugins: [nextCookies()],
  })
  // Rejects while the tables are missing. Not awaited, auth would stay broken after they are there.
  await auth.$context
  return auth
}
