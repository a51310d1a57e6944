'use client'
import { useActionState, useEffect, useRef } from 'react'
import { Toast } from '#ui/toast/toast.tsx'
import { type ActionState, idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'

/** What became of a change, with the way back, also by ⌘Z. Drawn from the form's state, so that it is there without script too. */
export function ChangeToast({ state, organizationSlug }: { state: ActionState; organizationSlug: string }) {
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const taken = useRef<{ state: ActionState; undone: ActionState }>({ state, undone })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isField = event.target instanceof Element && event.target.matches('input[type=text], textarea')
      if (event.key !== 'z' || !(event.metaKey || event.ctrlKey) || isField || !button.current) return
      event.preventDefault()
      button.current.click()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
  // Whichever was told last is shown.
  const isUndoNews = undone !== taken.current.undone
  const isNews = state !== taken.current.state
  if (isUndoNews || isNews) taken.current = { state, undone }
  const shown = isNews ? state : undone.kind !== 'idle' ? undone : state
  if (shown.kind === 'idle') return null
  if (shown.kind === 'failed') return <Toast key={`failed ${shown.message}`} isFailure message={shown.message} />
  return (
    <Toast key={shown.undo ?? shown.message} message={shown.message}>
      {shown.undo ? (
        <form action={undo}>
          <input type="hidden" name="org" value={organizationSlug} />
          <input type="hidden" name="undo" value={shown.undo} />
          <button ref={button} type="submit" className="btn plain s">
            Undo
          </button>
        </form>
      ) : null}
    </Toast>
  )
}
