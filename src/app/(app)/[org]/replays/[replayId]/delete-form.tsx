'use client'
import { useActionState } from 'react'
import { ConfirmButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { removeReplay } from '../actions.ts'

export function DeleteForm({ organizationSlug, replayId }: { organizationSlug: string; replayId: string }) {
  const [state, submit] = useActionState(removeReplay, { kind: 'idle' })
  return (
    <form action={submit}>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="replay" value={replayId} />
      <ConfirmButton
        className="btn"
        query="Delete this replay?"
        effect="The recording and everything that was read from it are deleted. This can’t be undone."
        verb="Delete replay"
      >
        Delete
      </ConfirmButton>
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
    </form>
  )
}
