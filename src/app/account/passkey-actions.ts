'use server'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { headers } from 'next/headers'
import { z } from 'zod'
import { removePasskey } from '#domain/sign-in/passkeys.ts'
import { hasPassword, isPasswordOf } from '#domain/sign-in/set-password.ts'
import { faultMessage } from '#web/action-state.ts'
import { defineAccountAction } from '#web/define-account-action.ts'
import { describeAgent } from '#web/describe-agent.ts'
import { beginAdding, beginPasskeySignIn, finishAdding, finishPasskeySignIn } from '#web/passkeys.ts'
import { guessSecret } from '#web/sign-in.ts'
import { requireSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'

/** After a sign-in, the password is not asked for again during this time. */
const freshMs = 15 * 60_000

type Begun = { ok: true; options: object } | { ok: false; message: string; asks: boolean }

/** The first half of adding a passkey. A session that is not fresh needs the password, because it may be someone else's by now. */
export async function startPasskey(password: unknown): Promise<Begun> {
  const user = await requireSignedIn()
  const context = webContext(`user:${user.id}`)
  const isFresh = context.now() - user.signedInAt < freshMs
  if (!isFresh && (await hasPassword(context, user.id))) {
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
  return { ok: true, options: await beginAdding(user) }
}

const registration = z.looseObject({
  id: z.string().max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
})

/** The second half: what the authenticator answered. Null if it was added, else what went wrong. */
export async function savePasskey(response: unknown): Promise<string | null> {
  const user = await requireSignedIn()
  const parsed = registration.safeParse(response)
  if (!parsed.success) return faultMessage('passkey_invalid')
  const name = describeAgent((await headers()).get('user-agent') ?? '')
  const result = await finishAdding(user, { response: parsed.data as unknown as RegistrationResponseJSON, name })
  return result.ok ? null : faultMessage(result.code)
}

export const deletePasskey = defineAccountAction(
  { input: z.object({ passkey: z.string().max(100) }) },
  (context, { passkey }, user) => removePasskey(context, { userId: user.id, id: passkey }),
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
