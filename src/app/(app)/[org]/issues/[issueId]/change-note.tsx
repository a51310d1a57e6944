'use client'
import { useActionState } from 'react'
import { Toast } from '#ui/toast/toast.tsx'
import { type ActionState, idle } from '#web/action-state.ts'
import { undoIssueChange } from './actions.ts'

/** What became of a change, with the way back. Drawn from the form's state, so that it is there without script too. */
export function ChangeNote({ state, organizationSlug }: { state: ActionState; organizationSlug: string }) {
  const [undone, undo] = useActionState(undoIssueChange, idle)
  if (undone.kind !== 'idle')
    return <Toast key={undone.message} isFailure={undone.kind === 'failed'} message={undone.message} />
  if (state.kind === 'idle') return null
  if (state.kind === 'failed') return <Toast isFailure message={state.message} />
  return (
    <Toast key={state.undo} message={state.message}>
      {state.undo ? (
        <form action={undo}>
          <input type="hidden" name="org" value={organizationSlug} />
          <input type="hidden" name="undo" value={state.undo} />
          <button type="submit" className="btn plain s">
            Undo
          </button>
        </form>
      ) : null}
    </Toast>
  )
}
