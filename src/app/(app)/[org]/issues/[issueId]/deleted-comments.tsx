'use client'
import { useActionState } from 'react'
import { idle } from '#web/action-state.ts'
import { ChangeToast } from '../change-toast.tsx'
import { removeComment, undoRemoveComment } from './actions.ts'

type Props = { organizationSlug: string; issueId: number; formId: string }

/** The form of all Delete buttons. It is outside of the comments, so that Undo stays when the comment is gone. */
export function DeletedComments({ organizationSlug, issueId, formId }: Props) {
  const [state, action, isPending] = useActionState(removeComment, idle)
  const [undone, undo] = useActionState(undoRemoveComment, idle)
  return (
    <>
      <form id={formId} action={action}>
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="issue" value={issueId} />
      </form>
      <ChangeToast {...{ state, undone, undo, isPending, organizationSlug }} kind="comment" />
    </>
  )
}
