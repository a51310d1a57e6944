'use client'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { savePasskey, startPasskey } from './passkey-actions.ts'
import { cancelled, useAttempt } from './use-attempt.ts'

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
