'use server'
import { z } from 'zod'
import { renameUser } from '#domain/sign-in/rename-user.ts'
import { endOtherSessions, endSession } from '#domain/sign-in/sessions.ts'
import { hasPassword, setPassword } from '#domain/sign-in/set-password.ts'
import { endTrustedBrowser } from '#domain/sign-in/trusted-browsers.ts'
import { defineAccountAction } from '#web/define-account-action.ts'
import { guessSecret } from '#web/sign-in.ts'

export const saveProfile = defineAccountAction(
  { input: z.object({ name: z.string().max(100, 'Use at most 100 characters.') }), faultField: 'name' },
  (context, { name }, user) => renameUser(context, { userId: user.id, name }),
  () => 'Name changed.',
)

const passwords = z.object({ current: z.string().max(1_000).default(''), 'next-password': z.string().max(1_000) })

/**
 * Whoever has only a session can't choose a password: the present one is asked for, and guesses are limited as at sign-in. A session
 * that just began with a sign-in link needs none.
 */
export const changePassword = defineAccountAction(
  {
    input: passwords,
    faultField: code => (code === 'password_wrong' || code === 'too_many_guesses' ? 'current' : 'next-password'),
  },
  async (context, { current, 'next-password': next }, user) => {
    const change = { userId: user.id, next, keepSession: user.sessionId }
    if (user.mayResetPassword || !(await hasPassword(context, user.id)))
      return setPassword(context, { ...change, current: null })
    const guessed = await guessSecret(user.email, async () => {
      const result = await setPassword(context, { ...change, current })
      // Counted as a wrong guess.
      if (!result.ok && result.code === 'password_wrong')
        throw Object.assign(new Error(result.code), { statusCode: 401 })
      return result
    })
    if (guessed.ok) return guessed.value
    return { ok: false as const, code: guessed.code === 'wrong' ? 'password_wrong' : 'too_many_guesses' }
  },
  () => 'Password changed. All other sessions have ended, and no browser is trusted any more.',
)

export const endOneSession = defineAccountAction(
  { input: z.object({ session: z.string().max(100) }) },
  (context, { session }, user) => endSession(context, { userId: user.id, sessionId: session }),
  () => 'Session ended.',
)

export const endTheOtherSessions = defineAccountAction(
  { input: z.object({}) },
  (context, _input, user) => endOtherSessions(context, { userId: user.id, sessionId: user.sessionId }),
  ({ ended, browsers }) => {
    const sessions = ended === 1 ? '1 session ended.' : `${ended} sessions ended.`
    if (browsers === 0) return sessions
    return `${sessions} ${browsers === 1 ? '1 browser is' : `${browsers} browsers are`} no longer trusted.`
  },
)

export const endOneTrust = defineAccountAction(
  { input: z.object({ browser: z.string().max(100) }) },
  (context, { browser }, user) => endTrustedBrowser(context, { userId: user.id, id: browser }),
  () => 'This browser is no longer trusted: its next sign-in is asked for the code.',
)
