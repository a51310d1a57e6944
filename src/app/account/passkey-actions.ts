'use server'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { headers } from 'next/headers'
import { z } from 'zod'
import { hasPassword, isPasswordOf } from '#domain/sign-in/set-password.ts'
import { faultMessage } from '#web/action-state.ts'
import { defineAccountAction } from '#web/define-account-action.ts'
import { describeAgent } from '#web/describe-agent.ts'
import { isFresh, requireFactor } from '#web/factor-guard.ts'
import { beginAdding, beginPasskeySignIn, finishAdding, finishPasskeySignIn, removePasskey } from '#web/passkeys.ts'
import { setResponseStatus } from '#web/response-status.ts'
import { guessSecret } from '#web/sign-in.ts'
import { findSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'

/** Shown in the form, because Next's page for 401 would replace the page that the user is on. */
function signOutFault(): string {
  setResponseStatus(401)
  return 'Your session has ended. Sign in again.'
}

type Begun = { ok: true; options: object } | { ok: false; message: string; asks: boolean }

/**
 * The first half of adding a passkey. A session that is not fresh needs the password, because it may be someone else's by now, and whoever
 * has a second factor shows it first.
 */
export async function startPasskey(password: unknown): Promise<Begun> {
  if ((await findSignedIn()) === null) return { ok: false, message: signOutFault(), asks: false }
  const admitted = await requireFactor()
  if (!admitted.ok) return { ok: false, message: faultMessage(admitted.code) ?? '', asks: false }
  const { user } = admitted.owner
  const context = webContext(`user:${user.id}`)
  if (!isFresh(user.signedInAt, context.now()) && (await hasPassword(context, user.id))) {
    const typed = typeof password === 'string' ? password.slice(0, 1_000) : ''
    if (typed === '') return { ok: false, message: 'Enter your password.', asks: true }
    const guessed = await guessSecret(user.email, async () => {
      if (!(await isPasswordOf(context, user.id, typed))) throw Object.assign(new Error('wrong'), { statusCode: 401 })
    })
    if (!guessed.ok) {
      const code = guessed.code === 'wrong' ? 'password_wrong' : 'too_many_guesses'
      return { ok: false, message: faultMessage(code) ?? '', asks: true }
    }
  }
  return { ok: true, options: await beginAdding(admitted.owner) }
}

const registration = z.looseObject({
  id: z.string().max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
})

/** The second half: what the authenticator answered. Null if it was added, else what went wrong. */
export async function savePasskey(response: unknown): Promise<string | null> {
  if ((await findSignedIn()) === null) return signOutFault()
  const admitted = await requireFactor()
  if (!admitted.ok) return faultMessage(admitted.code)
  const parsed = registration.safeParse(response)
  if (!parsed.success) return faultMessage('passkey_invalid')
  const name = describeAgent((await headers()).get('user-agent') ?? '')
  const result = await finishAdding(admitted.owner, {
    response: parsed.data as unknown as RegistrationResponseJSON,
    name,
  })
  return result.ok ? null : faultMessage(result.code)
}

export const deletePasskey = defineAccountAction(
  { input: z.object({ passkey: z.string().max(100) }) },
  async (_context, { passkey }) => {
    const admitted = await requireFactor()
    return admitted.ok ? removePasskey(admitted.owner, passkey) : admitted
  },
  () => 'Passkey removed. Delete it on your device too.',
)

export async function startPasskeySignIn(): Promise<object | null> {
  return beginPasskeySignIn()
}

/** Whether the answer of the authenticator has signed in. */
export async function submitPasskey(response: unknown): Promise<boolean> {
  const parsed = registration.safeParse(response)
  return parsed.success && finishPasskeySignIn(parsed.data as unknown as AuthenticationResponseJSON)
}
