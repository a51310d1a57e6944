'use client'
import { useActionState, useEffect, useRef, useState } from 'react'
import { Toast } from '#ui/toast/toast.tsx'
import { type ActionState, idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'

type Props = { state: ActionState; undone: ActionState; undo: (form: FormData) => void; organizationSlug: string }

/** What became of a change, with the way back, also by ⌘Z. Drawn from the forms' states, so that it is there without script too. */
export function ChangeToast({ state, undone, undo, organizationSlug }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const shown = useLatest(state, undone)
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

/** Whichever was told last. Without script only one of them has been told at all. */
function useLatest(state: ActionState, undone: ActionState): ActionState {
  const [seen, setSeen] = useState({ state, undone, latest: undone.kind === 'idle' ? state : undone })
  if (state !== seen.state) setSeen({ state, undone, latest: state })
  else if (undone !== seen.undone) setSeen({ state, undone, latest: undone })
  return seen.latest
}

type DoneNoteProps = { organizationSlug: string; undo: string; isDiscarded: boolean }

/** For one who comes from the page of an issue that is gone now. */
export function DoneNote({ organizationSlug, undo: token, isDiscarded }: DoneNoteProps) {
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const message = isDiscarded ? 'Issue deleted; what comes of this kind is discarded.' : 'Issue deleted.'
  const [told] = useState<ActionState>({ kind: 'done', message, undo: token })
  return <ChangeToast state={told} undone={undone} undo={undo} organizationSlug={organizationSlug} />
}
