'use server'
import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import { type ActionState, failed, faultMessage } from '#web/action-state.ts'
import { type FactorOwner, requireFactor } from '#web/factor-guard.ts'
import { safePath } from '#web/safe-path.ts'
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
  const result = await confirmApp(owner, read(form, 'otp'))
  if (result.ok) return { kind: 'codes', codes: result.recoveryCodes }
  const fault = faultMessage(result.code) ?? ''
  return previous.kind === 'scan' ? { ...previous, fault } : refused(result.code, form, 'otp')
}

/** The one action of the form: which step it is depends on the state. */
export async function stepApp(previous: AppState, form: FormData): Promise<AppState> {
  const admitted = await requireFactor()
  const field = form.has('otp') ? 'otp' : 'password'
  if (!admitted.ok) return refused(admitted.code, form, field)
  return field === 'otp' ? finishApp(admitted.owner, previous, form) : beginApp(admitted.owner, form)
}

/** The step before an organization that requires a second factor, or before factors are changed, for a member who has an app. */
export async function confirmCode(_previous: ActionState, form: FormData): Promise<ActionState> {
  const user = await requireSignedIn()
  const result = await strengthenSession(webContext(`user:${user.id}`), user, {
    code: read(form, 'otp'),
    isRecovery: form.get('with') === 'recovery',
  })
  if (result.ok) redirect(safePath(read(form, 'next')))
  const message = faultMessage(result.code) ?? ''
  return failed(message, form, { otp: message })
}

export async function changeApp(_previous: AppState, form: FormData): Promise<AppState> {
  const admitted = await requireFactor()
  if (!admitted.ok) return refused(admitted.code, form, 'password')
  const password = read(form, 'password')
  const change = form.get('change')
  if (change === 'codes') {
    const result = await renewRecoveryCodes(admitted.owner, password)
    return result.ok ? { kind: 'codes', codes: result.recoveryCodes } : refused(result.code, form, 'password')
  }
  if (change !== 'off') return refused('change_unknown', form, 'password')
  const result = await removeApp(admitted.owner, password)
  if (!result.ok) return refused(result.code, form, 'password')
  refresh()
  return { kind: 'idle' }
}
