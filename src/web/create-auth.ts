import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { nextCookies } from 'better-auth/next-js'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import type { Config } from '#config.ts'
import { hashPassword, verifyPassword } from '#domain/sign-in/password-hash.ts'
import { maxPasswordChars, minPasswordChars } from '#domain/sign-in/password-rules.ts'
import { codeSpent, spendCode } from '#domain/sign-in/spend-code.ts'
import { trustPrefix } from '#domain/sign-in/trusted-browsers.ts'
import { objectOf, textOf } from '#lib/json-value.ts'
import { cookiePrefix } from '#lib/session-cookie.ts'
import { clipText } from '#lib/text.ts'
import type { Control } from '#store/control/control.ts'
import { clientAddress } from './request-headers.ts'
import { sessionStarter } from './session-starter.ts'
import { createSsoGate, oidcProviders, socialProviders } from './sso-gate.ts'

type AuthConfig = Pick<Config, 'publicUrl' | 'sessions' | 'trustedProxies' | 'providers' | 'sso'>
type Given = {
  config: AuthConfig
  control: Pick<Control, 'db' | 'dialect'>
  secret: string
  now: () => number
  /** False while the identity provider does not answer. */
  isOidcUp: boolean
}

const daySeconds = 24 * 60 * 60

/**
 * better-auth on the control database. It keeps accounts, sessions and second factors; our own actions call `auth.api`, so none of its
 * routes is reachable from outside. Accounts are created by commands: there is no public sign-up.
 */
export function createAuth({ config, control, secret, now, isOidcUp }: Given) {
  const sso = createSsoGate({ config, control, now })
  return betterAuth({
    appName: 'Hydrant',
    baseURL: config.publicUrl,
    secret,
    trustedOrigins: [config.publicUrl],
    database: { db: control.db, type: control.dialect },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minPasswordChars,
      maxPasswordLength: maxPasswordChars,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    session: {
      // Server components can't renew a cookie, so it lasts as long as the session.
      expiresIn: config.sessions.days * daySeconds,
      disableSessionRefresh: true,
      additionalFields: {
        method: { type: 'string', required: false, input: false },
        secondFactor: { type: 'boolean', required: false, input: false },
        seenAt: { type: 'number', bigint: true, required: false, input: false },
        factorAt: { type: 'number', bigint: true, required: false, input: false },
      },
    },
    user: { validateUserInfo: sso.check },
    socialProviders: socialProviders(config.providers),
    // The provider must have verified the address, and no provider is trusted more than others. An account with an unverified address
    // is linked too. That is the first proof of its address, which revokes what gave access before (`sso.check`).
    account: {
      accountLinking: {
        ...{ enabled: true, trustedProviders: [], updateUserInfoOnLink: false },
        requireLocalEmailVerified: false,
      },
    },
    verification: {
      additionalFields: {
        userAgent: { type: 'string', required: false, input: false },
        ipAddress: { type: 'string', required: false, input: false },
      },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => {
            const { path = '' } = context ?? {}
            // better-auth has checked the code, and would take it again for as long as it is valid.
            if (path === totpPath && !(await spendCode({ db: control.db, now }, codeOf(session.userId, context?.body))))
              throw new APIError('UNAUTHORIZED', { code: codeSpent })
            return {
              data: {
                ...session,
                ...((await sso.admit(session.userId, context)) ?? (await strengthOf(control, path, session))),
                ...factorTime(path, session, now),
                seenAt: now(),
                // better-auth would take the first entry of X-Forwarded-For, which the client writes.
                ...browserOf(context?.headers, config.trustedProxies, session.userAgent),
              },
            }
          },
        },
      },
      verification: {
        create: {
          before: async (verification, context) =>
            verification.identifier.startsWith(trustPrefix)
              ? { data: { ...verification, ...browserOf(context?.headers, config.trustedProxies) } }
              : undefined,
        },
      },
    },
    advanced: { useSecureCookies: config.publicUrl.startsWith('https:'), cookiePrefix },
    telemetry: { enabled: false },
    // Members without a password, who sign in elsewhere, can have an authenticator app too.
    plugins: [
      twoFactor({ issuer: 'Hydrant', allowPasswordless: true }),
      genericOAuth({ config: isOidcUp ? oidcProviders(config.providers, config.publicUrl) : [] }),
      sessionStarter(),
      nextCookies(),
    ],
  })
}

const totpPath = '/two-factor/verify-totp'
const codeOf = (userId: string, body: unknown) => ({ userId, code: textOf(objectOf(body)?.code) })

/** From where a request comes. */
const browserOf = (headers: Headers | undefined, trustedProxies: string[], agent?: string | null) => ({
  ipAddress: headers ? clientAddress(headers, trustedProxies) : '',
  userAgent: clipText(agent ?? headers?.get('user-agent') ?? '', 400),
})

const backupPath = '/two-factor/verify-backup-code'

/** Whether a second factor of the account was shown with this request. A trusted browser and a provider have not shown it. */
function factorTime(path: string, { factorAt }: Record<string, unknown>, now: () => number) {
  if (path === totpPath || path === backupPath) return { factorAt: now() }
  return { factorAt: typeof factorAt === 'number' ? factorAt : null }
}

type Strength = { method: string | null; secondFactor: boolean }

/** By the path of better-auth that creates the session. A session that only replaces another one keeps its method. */
async function strengthOf(
  { db }: Pick<Control, 'db'>,
  path: string,
  session: Record<string, unknown> & { userId: string },
): Promise<Strength> {
  const method = typeof session.method === 'string' ? session.method : null
  if (path === totpPath) return { method: method ?? 'totp', secondFactor: true }
  if (path === backupPath) return { method: method ?? 'recovery', secondFactor: true }
  if (path === '/two-factor/disable') return { method, secondFactor: false }
  if (path !== '/sign-in/email') return { method, secondFactor: session.secondFactor === true }
  // With an authenticator app, this session only lasts if the browser is a trusted one. Otherwise the code is asked for.
  const user = await db
    .selectFrom('user')
    .select('twoFactorEnabled')
    .where('id', '=', session.userId)
    .executeTakeFirst()
  return { method: 'password', secondFactor: Boolean(user?.twoFactorEnabled) }
}
