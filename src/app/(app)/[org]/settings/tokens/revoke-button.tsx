'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/submit-button.tsx'
import { idle } from '#web/action-state.ts'
import { revokeToken } from './actions.ts'

type Props = { tokenId: number; name: string; organizationSlug: string }

/** Two presses, because a build stops the moment its token does. A fold, so that it asks without script too. */
export function RevokeButton({ tokenId, name, organizationSlug }: Props) {
  const [state, action] = useActionState(revokeToken, idle)
  return (
    <details className="confirm">
      <summary className="btn s" aria-label={`Revoke ${name}`}>
        Revoke
      </summary>
      <form action={action}>
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="token" value={tokenId} />
        <SubmitButton look="s danger">Refuse it from now on</SubmitButton>
        {state.kind === 'failed' ? (
          <span className="bad" role="alert">
            {state.message}
          </span>
        ) : null}
      </form>
    </details>
  )
}
