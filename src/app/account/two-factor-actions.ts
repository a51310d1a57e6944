'use server'
import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import type { TurnedAway } from '#lib/submission.ts'
import { type ActionState, failed, faultMessage } from '#web/action-state.ts'
import { type FactorOwner, requireFactor } from '#web/factor-guard.ts'
import { once } from '#web/once.ts'
import { safePath } from '#web/safe-path.ts'
import { answered } from '#web/turned-away.ts'
import { confirmApp, removeApp, renewRecoveryCodes, startApp, strengthenSession } from '#web/two-factor.ts'
import { requireSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'
import type { AppState } from './app-state.ts'

/** Passwords and codes of at most this length, so that nothing longer is hashed. */
const read = (form: FormData, name: string): string => String(form.get(name) ?? '').slice(0, 1_000)

const refused = (code: string, form: FormData, field: string): AppState => {
  const message = faultMessage(code) ?? 'Something went wrong. Try again.'
  return { kind: 'refused', state: failed(message, form, { [field]: message }) }
}

/** The secret of a new authenticator app, after the password. */
async function beginApp(owner: FactorOwner, form: FormData): Promise<AppState> {
  const result = await startApp(owner, read(form, 'password'))
  return result.ok ? { kind: 'scan', secret: result.secret, fault: null } : refused(result.code, form, 'password')
}

/** Switches the app on with its first code. A wrong code leaves the secret on the page. */
async function finishApp(owner: FactorOwner, previous: AppState, form: FormData): Promise<AppState> {
  const result = await once(form, `user:${owner.user.id}`, () => confirmApp(owner, read(form, 'otp')))
  if (result.ok) return { kind: 'codes', codes: result.recoveryCodes }
  const fault = faultMessage(result.code) ?? ''
  return previous.kind === 'scan' ? { ...previous, fault } : refused(result.code, form, 'otp')
}

/** The one action of the form: which step it is depends on the state. */
export async function stepApp(previous: AppState, form: FormData): Promise<AppState | TurnedAway> {
  return answered(form, () => takeStep(previous, form))
}

async function takeStep(previous: AppState, form: FormData): Promise<AppState> {
  const admitted = await requireFactor()
  const field = form.has('otp') ? 'otp' : 'password'
  if (!admitted.ok) return refused(admitted.code, form, field)
  return field === 'otp' ? finishApp(admitted.owner, previous, form) : beginApp(admitted.owner, form)
}

/** The step before an organization that requires a second factor, or before factors are changed, for a member who has an app. */
export async function confirmCode(_previous: ActionState, form: FormData): Promise<ActionState | TurnedAway> {
  return answered(form, () => confirm(form))
}

async function confirm(form: FormData): Promise<ActionState> {
  const user = await requireSignedIn()
  const context = webContext(`user:${user.id}`)
  const shown = { code: read(form, 'otp'), isRecovery: form.get('with') === 'recovery' }
  const result = await once(form, context.actor, () => strengthenSession(context, user, shown))
  if (result.ok) redirect(safePath(read(form, 'next')))
  const message = faultMessage(result.code) ?? ''
  return failed(message, form, { otp: message })
}

export async function changeApp(_previous: AppState, form: FormData): Promise<AppState | TurnedAway> {
  return answered(form, () => changeOwnApp(form))
}

async function changeOwnApp(form: FormData): Promise<AppState> {
  const admitted = await requireFactor()
  if (!admitted.ok) return refused(admitted.code, form, 'password')
  const { owner } = admitted
  const sender = `user:${owner.user.id}`
  const password = read(form, 'password')
  const change = form.get('change')
  if (change === 'codes') {
    const result = await once(form, sender, () => renewRecoveryCodes(owner, password))
    return result.ok ? { kind: 'codes', codes: result.recoveryCodes } : refused(result.code, form, 'password')
  }
  if (change !== 'off') return refused('change_unknown', form, 'password')
  const result = await once(form, sender, () => removeApp(owner, password))
  if (!result.ok) return refused(result.code, form, 'password')
  refresh()
  return { kind: 'idle' }
}
