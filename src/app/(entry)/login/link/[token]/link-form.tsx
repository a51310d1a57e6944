'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { idle } from '#web/action-state.ts'
import { submitLink } from '../../actions.ts'

export function LinkForm({ token }: { token: string }) {
  const [state, action] = useActionState(submitLink, idle)
  return (
    <form action={action} className="form">
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
      <input type="hidden" name="token" value={token} />
      <SubmitButton>Sign in</SubmitButton>
    </form>
  )
}
