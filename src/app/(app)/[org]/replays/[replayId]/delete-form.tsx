'use client'
import { ConfirmButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { removeReplay } from '../actions.ts'

export function DeleteForm({ organizationSlug, replayId }: { organizationSlug: string; replayId: string }) {
  const [state, submit] = useAction(removeReplay, { kind: 'idle' })
  return (
    <ActionForm action={submit}>
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
    </ActionForm>
  )
}
