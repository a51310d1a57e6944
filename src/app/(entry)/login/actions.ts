'use server'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { isEmail } from '#domain/members/add-member.ts'
import type { TurnedAway } from '#lib/submission.ts'
import { type ActionState, failed, faultMessage } from '#web/action-state.ts'
import { once } from '#web/once.ts'
import { endedPath, safePath } from '#web/safe-path.ts'
import { mailLink, signInByLink } from '#web/sign-in-links.ts'
import { answered } from '#web/turned-away.ts'
import { signInWithCode } from '#web/two-factor.ts'

const link = z.object({ token: z.string().max(100), password: z.string().max(1_000).optional() })

/** Uses the link up. It is a form, because mail scanners and previews open links. */
export async function submitLink(_previous: ActionState, form: FormData): Promise<ActionState> {
  const parsed = link.safeParse(Object.fromEntries(form))
  const result = parsed.success ? await signInByLink(parsed.data.token, parsed.data.password ?? null) : null
  if (result?.ok) redirect(result.needsCode ? '/login/two-factor' : endedPath('/'))
  const message = result === null || result.code === 'link_invalid' ? null : faultMessage(result.code)
  if (message !== null) return failed(message, form, { password: message })
  return failed('This link has been used or is too old. Ask for a new one.', form)
}

/** Says the same for every address: who has an account is nobody else's business. */
export async function requestLink(_previous: ActionState, form: FormData): Promise<ActionState | TurnedAway> {
  return answered(form, () => sendLink(form))
}

async function sendLink(form: FormData): Promise<ActionState> {
  const email = z.string().max(254).safeParse(form.get('email'))
  const missing = 'Enter your email.'
  if (!email.success || !isEmail(email.data.trim())) return failed(missing, form, { email: missing })
  const sent = await once(form, 'sign-in', async () => ({ ok: (await mailLink(email.data)) !== 'too_many' }))
  if (!sent.ok) return failed('Too many links were asked for. Try again in an hour.', form)
  return { kind: 'done', message: 'If this address has an account, a link is on its way. It works for 10 minutes.' }
}

const codeForm = z.object({
  otp: z.string().max(100),
  with: z.enum(['app', 'recovery']),
  trust: z.literal('on').optional(),
  next: z.string().max(4_000),
})
const codeFaults = {
  code_wrong: 'Wrong code. Codes of an app change every 30 seconds; enter the present one.',
  code_spent: 'This code has been used. Sign in again with the next one.',
  code_locked: 'Too many wrong codes. Try again in 15 min.',
  code_expired: 'This took too long, or there were too many wrong codes. Sign in again.',
}

/** The second step of a sign-in. */
export async function submitCode(_previous: ActionState, form: FormData): Promise<ActionState> {
  const parsed = codeForm.safeParse(Object.fromEntries(form))
  if (!parsed.success || parsed.data.otp.trim() === '')
    return failed('Enter the code.', form, { otp: 'Enter the code.' })
  const { otp, trust, next, with: kind } = parsed.data
  const result = await signInWithCode({ code: otp, isRecovery: kind === 'recovery', trustsBrowser: trust === 'on' })
  if (result.ok) redirect(safePath(next))
  const message = codeFaults[result.code]
  return failed(message, form, result.code === 'code_wrong' ? { otp: message } : {})
}
