/** better-auth on our control database: who is signed in. Accounts are made by commands, never by a public sign-up. */
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'

const sessionSeconds = 30 * 24 * 60 * 60 // a page cannot renew a cookie, so it lasts as long as the session itself

export const cookiePrefix = 'hydrant'

/** Without it nobody is signed in, and better-auth need not be asked. On https the browser demands a prefix of its own. */
const sessionCookie = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${cookiePrefix}\\.session_token=`)
export const hasSessionCookie = (headers: Headers): boolean => sessionCookie.test(headers.get('cookie') ?? '')

const key = Symbol.for('hydrant.auth')
const holder = globalThis as { [key]?: ReturnType<typeof openAuth> }

export function getAuth() {
  holder[key] ??= openAuth().catch(forget)
  return holder[key]
}

/** What could not be opened is tried again by the next who asks. */
function forget(reason: unknown): never {
  delete holder[key]
  throw reason
}

/** Loaded when it is first needed: a quarter of a second that the first page after a start would wait for. */
async function openAuth() {
  const [{ betterAuth }, { nextCookies }] = await Promise.all([import('better-auth'), import('better-auth/next-js')])
  const { config, control } = getRuntime()
  return betterAuth({
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
}
