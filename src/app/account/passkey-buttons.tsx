'use client'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { savePasskey, startPasskey, startPasskeySignIn, submitPasskey } from './passkey-actions.ts'

/** Browsers reject with these when the person cancels, or has no key for this server. */
const cancelled = 'No passkey was used. Try again, or choose another way.'

type UseProps = { label: string; next: string; look?: '' | 'primary' }

/** Signs in with a passkey of this device. Needs JavaScript, so it is not shown without. */
export function UsePasskey({ label, next, look = '' }: UseProps) {
  const { fault, isBusy, run } = useAttempt()
  const signIn = async () => {
    const options = await startPasskeySignIn()
    if (options === null) return 'Too many attempts. Try again in 10 min.'
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    const credential = await navigator.credentials.get({ publicKey })
    if (!(credential instanceof PublicKeyCredential)) return cancelled
    if (!(await submitPasskey(credential.toJSON()))) return 'This passkey is not known here. Choose another way.'
    // A full load, so that nothing of the signed-out page stays.
    window.location.assign(next)
    return null
  }
  return (
    <div className="form with-script">
      {fault === null ? null : <Notice kind="error">{fault}</Notice>}
      <button type="button" className={`btn ${look}`} aria-busy={isBusy} onClick={() => run(signIn)}>
        <KeyRound className="i" aria-hidden="true" />
        {label}
      </button>
    </div>
  )
}

/** Creates a passkey on this device. Asks for the password if the sign-in was a while ago. */
export function AddPasskey({ next, look = '' }: { next: string; look?: '' | 'primary' }) {
  const { fault, isBusy, run } = useAttempt()
  const [isAsked, setAsked] = useState(false)
  const [password, setPassword] = useState('')
  const add = async () => {
    const begun = await startPasskey(password)
    if (!begun.ok) {
      setAsked(begun.asks)
      return isAsked || !begun.asks ? begun.message : null
    }
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      begun.options as PublicKeyCredentialCreationOptionsJSON,
    )
    const credential = await navigator.credentials.create({ publicKey })
    if (!(credential instanceof PublicKeyCredential)) return cancelled
    const refused = await savePasskey(credential.toJSON())
    if (refused === null) window.location.assign(next)
    return refused
  }
  return (
    <div className="form with-script">
      {fault === null ? null : <Notice kind="error">{fault}</Notice>}
      {isAsked ? (
        <Field
          name="passkey-password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={event => setPassword(event.target.value)}
          help="To be sure that it is you."
          isFocused
        />
      ) : null}
      <div className="row">
        <button type="button" className={`btn ${look}`} aria-busy={isBusy} onClick={() => run(add)}>
          <KeyRound className="i" aria-hidden="true" />
          Add passkey
        </button>
      </div>
    </div>
  )
}

/** One attempt at a time, with its message. */
function useAttempt() {
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function run(attempt: () => Promise<string | null>): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    try {
      setFault(await attempt())
    } catch (error) {
      setFault(error instanceof DOMException ? cancelled : 'Something went wrong. Try again.')
    } finally {
      setBusy(false)
    }
  }
  return { fault, isBusy, run }
}
