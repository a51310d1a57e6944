'use client'
import { KeyRound } from 'lucide-react'
import { Notice } from '#ui/notice.tsx'
import { startPasskeySignIn, submitPasskey } from './passkey-actions.ts'
import { cancelled, useAttempt } from './use-attempt.ts'

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
