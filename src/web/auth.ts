/** better-auth on our control database: who is signed in. Accounts are made by commands, never by a public sign-up. */
import { betterAuth } from 'better-auth'
import { nextCookies } from 'better-auth/next-js'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'

const sessionSeconds = 30 * 24 * 60 * 60 // a page cannot renew a cookie, so it lasts as long as the session itself

const key = Symbol.for('hydrant.auth')
const holder = globalThis as { [key]?: ReturnType<typeof openAuth> }

export function getAuth() {
  holder[key] ??= openAuth()
  return holder[key]
}

function openAuth() {
  const { config, control } = getRuntime()
  return betterAuth({
    baseURL: config.publicUrl,
    secret: loadSecret(config),
    trustedOrigins: [config.publicUrl],
    database: { db: control.db, type: control.dialect },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 8, maxPasswordLength: 128 },
    session: { expiresIn: sessionSeconds, disableSessionRefresh: true },
    advanced: { useSecureCookies: config.publicUrl.startsWith('https:'), cookiePrefix: 'hydrant' },
    telemetry: { enabled: false },
    plugins: [nextCookies()],
  })
}
