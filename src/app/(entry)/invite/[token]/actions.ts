'use server'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { acceptAsNewUser, acceptInvitation } from '#domain/members/accept-invitation.ts'
import type { TurnedAway } from '#lib/submission.ts'
import { getRuntime } from '#runtime.ts'
import { type ActionState, failed, faultMessage } from '#web/action-state.ts'
import { installationSecret } from '#web/invitation-link.ts'
import { once } from '#web/once.ts'
import { originOf } from '#web/request-headers.ts'
import { endedPath } from '#web/safe-path.ts'
import { signIn } from '#web/sign-in.ts'
import { answered } from '#web/turned-away.ts'
import { findSignedIn } from '#web/viewer.ts'

const token = z.string().max(100)

/** The link admits whoever has it, so these two check it themselves instead of a membership. */
export async function joinSignedIn(_previous: ActionState, form: FormData): Promise<ActionState | TurnedAway> {
  return answered(form, () => joinAsUser(form))
}

async function joinAsUser(form: FormData): Promise<ActionState> {
  const parsed = z.object({ token }).safeParse(Object.fromEntries(form))
  const user = await findSignedIn()
  if (!parsed.success || user === null) return failed('Sign in first.', form)
  const context = await contextOf(`user:${user.id}`)
  const result = await once(form, context.actor, () =>
    acceptInvitation(context, { token: parsed.data.token, userId: user.id }),
  )
  if (result.ok) redirect(`/${result.organizationSlug}/issues`)
  return failed(messageOf(result.code), form)
}

const newAccount = z.object({
  token,
  name: z.string().max(100),
  email: z.string().max(254),
  password: z.string().max(254),
  mail: z.string().max(100).default(''),
})

export async function joinAsNew(_previous: ActionState, form: FormData): Promise<ActionState | TurnedAway> {
  return answered(form, () => joinWithNewAccount(form))
}

async function joinWithNewAccount(form: FormData): Promise<ActionState> {
  const parsed = newAccount.safeParse(Object.fromEntries(form))
  if (!parsed.success) return failed('Fill in all fields.', form)
  const { mail, ...account } = parsed.data
  const proof = { given: mail, installationSecret: installationSecret() }
  const context = await contextOf('invitation')
  const result = await once(form, 'invitation', () => acceptAsNewUser(context, { ...account, proof }))
  if (result.ok) {
    await signIn(result.email, account.password)
    const next = `/${result.organizationSlug}/issues`
    redirect(result.isTakenOver ? endedPath(next) : next)
  }
  const message =
    result.code === 'email_taken' ? 'This address has an account. Sign in to join with it.' : messageOf(result.code)
  const [field] = /^(?:name|email|password)/.exec(result.code) ?? []
  return failed(message, form, field === undefined ? {} : { [field]: message })
}

async function contextOf(actor: string) {
  const { control, clock } = getRuntime()
  return { db: control.db, actor, now: clock.now, origin: originOf(await headers()) }
}

function messageOf(code: string): string {
  const message = faultMessage(code)
  if (message === null) throw new Error(`joining failed with an unknown code: ${code}`)
  return message
}
