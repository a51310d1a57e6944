'use client'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { idle } from '#web/action-state.ts'
import { ChangeToast } from '../change-toast.tsx'
import { removeComment, undoRemoveComment } from './actions.ts'

type Props = { organizationSlug: string; issueId: number; formId: string }

/** The form of all Delete buttons. It is outside of the comments, so that Undo stays when the comment is gone. */
export function DeletedComments({ organizationSlug, issueId, formId }: Props) {
  const [state, action, isPending] = useAction(removeComment, idle)
  const [undone, undo] = useAction(undoRemoveComment, idle)
  return (
    <>
      <ActionForm id={formId} action={action}>
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="issue" value={issueId} />
      </ActionForm>
      <ChangeToast {...{ state, undone, undo, isPending, organizationSlug }} kind="comment" />
    </>
  )
}
