'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/submit-button.tsx'
import { idle } from '#web/action-state.ts'
import { switchKey } from './actions.ts'

type Props = { keyId: number; projectId: number; isActive: boolean; organizationSlug: string }

export function KeySwitch({ keyId, projectId, isActive, organizationSlug }: Props) {
  const [state, action] = useActionState(switchKey, idle)
  return (
    <form action={action} className="inline-flex items-center gap-2">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="project" value={projectId} />
      <input type="hidden" name="key" value={keyId} />
      <input type="hidden" name="to" value={isActive ? 'off' : 'on'} />
      <SubmitButton look={isActive ? 's danger' : 's'}>{isActive ? 'Switch off' : 'Switch on'}</SubmitButton>
      {state.kind === 'failed' ? (
        <span className="bad" role="alert">
          {state.message}
        </span>
      ) : null}
    </form>
  )
}
