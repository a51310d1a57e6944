'use client'
import { useActionState } from 'react'
import { ConfirmButton } from '#ui/confirm-button.tsx'
import { SubmitButton } from '#ui/submit-button.tsx'
import { ActionToast } from '#ui/toast/action-toast.tsx'
import { idle } from '#web/action-state.ts'
import { switchKey } from './actions.ts'

type Props = {
  keyId: number
  projectId: number
  /** As people call it: "Default (web)". */
  name: string
  isActive: boolean
  organizationSlug: string
}

/** Switching off asks first, because apps lose events from then on; switching on does not. */
export function KeySwitch({ name, isActive, ...ids }: Props) {
  const [state, action] = useActionState(switchKey, idle)
  return (
    <>
      <form action={action} className="inline-flex items-center gap-2">
        <Target {...ids} to={isActive ? 'off' : 'on'} />
        {isActive ? (
          <ConfirmButton
            className="btn s danger"
            question={`Switch off key ${name}?`}
            effect="Events sent with it are rejected until you switch it on again."
            verb="Switch off key"
          >
            Switch off
          </ConfirmButton>
        ) : (
          <SubmitButton look="s">Switch on</SubmitButton>
        )}
      </form>
      <ActionToast state={state}>
        {state.kind === 'done' && !isActive ? (
          <form action={action}>
            <Target {...ids} to="on" />
            <button type="submit" className="btn plain s">
              Undo
            </button>
          </form>
        ) : null}
      </ActionToast>
    </>
  )
}

function Target({ organizationSlug, projectId, keyId, to }: Omit<Props, 'name' | 'isActive'> & { to: 'on' | 'off' }) {
  return (
    <>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="project" value={projectId} />
      <input type="hidden" name="key" value={keyId} />
      <input type="hidden" name="to" value={to} />
    </>
  )
}
