import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { generateRandomString } from 'better-auth/crypto'
import { z } from 'zod'

const input = z.object({
  userId: z.string(),
  method: z.string(),
  secondFactor: z.boolean(),
  factorAt: z.number().nullable(),
})
const codeSeconds = 10 * 60

/**
 * Adds `auth.api.startSession`, for the ways to sign in that are ours: one-time links, passkeys, a trusted proxy. It has no path, so it
 * can't be called from outside. An account with an authenticator app is asked for its code first, as after a password.
 */
export function sessionStarter() {
  return {
    id: 'hydrant-session',
    endpoints: {
      startSession: createAuthEndpoint.serverOnly({ method: 'POST', body: input }, async ctx => {
        const { internalAdapter } = ctx.context
        const { userId, method, secondFactor, factorAt } = ctx.body
        const user = await internalAdapter.findUserById(userId)
        if (!user) throw ctx.error('NOT_FOUND')
        if ('twoFactorEnabled' in user && user.twoFactorEnabled === true && !secondFactor) {
          // What the plugin `two-factor` does after a password.
          const cookie = ctx.context.createAuthCookie('two_factor', { maxAge: codeSeconds })
          const identifier = `2fa-${generateRandomString(20)}`
          const expiresAt = new Date(Date.now() + codeSeconds * 1_000)
          await internalAdapter.createVerificationValue({ value: userId, identifier, expiresAt })
          await internalAdapter.createVerificationValue({
            value: '0',
            identifier: `2fa-attempts-${identifier}`,
            expiresAt,
          })
          await ctx.setSignedCookie(cookie.name, identifier, ctx.context.secret, cookie.attributes)
          return { needsCode: true, sessionId: null }
        }
        const session = await internalAdapter.createSession(userId, false, { method, secondFactor, factorAt })
        await setSessionCookie(ctx, { session, user })
        return { needsCode: false, sessionId: session.id }
      }),
    },
  } satisfies BetterAuthPlugin
}
