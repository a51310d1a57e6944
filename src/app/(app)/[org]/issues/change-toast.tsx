'use client'
import { startTransition, useActionState, useState } from 'react'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Toast } from '#ui/toast/toast.tsx'
import { type ActionState, idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'

type Props = { state: ActionState; undone: ActionState; undo: (form: FormData) => void; organizationSlug: string }

/** The result of a change with an Undo button (also ⌘Z). Rendered from the form state, so that it works without JavaScript. */
export function ChangeToast({ state, undone, undo, organizationSlug }: Props) {
  const shown = useLatest(state, undone)
  const token = shown.kind === 'done' ? shown.undo : undefined
  useCommands([
    {
      id: 'issue.undo',
      label: 'Undo',
      help: 'Undo the last change',
      kind: 'change',
      shortcut: 'Mod+z',
      // In a text field, ⌘Z undoes the typing.
      acceptsFocus: focused => !focused.matches('input[type=text], textarea'),
      isAvailable: () => token !== undefined,
      run() {
        const form = new FormData()
        form.set('org', organizationSlug)
        form.set('undo', token ?? '')
        startTransition(() => undo(form))
      },
    },
  ])
  if (shown.kind === 'idle') return null
  if (shown.kind === 'failed') return <Toast key={`failed ${shown.message}`} isFailure message={shown.message} />
  return (
    <Toast key={shown.undo ?? shown.message} message={shown.message}>
      {shown.undo ? (
        <form action={undo}>
          <input type="hidden" name="org" value={organizationSlug} />
          <input type="hidden" name="undo" value={shown.undo} />
          <button type="submit" className="btn plain s">
            Undo
          </button>
        </form>
      ) : null}
    </Toast>
  )
}

/** The state that changed last. Without JavaScript only one of them is set. */
function useLatest(state: ActionState, undone: ActionState): ActionState {
  const [seen, setSeen] = useState({ state, undone, latest: undone.kind === 'idle' ? state : undone })
  if (state !== seen.state) setSeen({ state, undone, latest: state })
  else if (undone !== seen.undone) setSeen({ state, undone, latest: undone })
  return seen.latest
}

type DoneNoteProps = { organizationSlug: string; undo: string; isDiscarded: boolean }

/** Shown on the list after an issue was deleted on its own page. */
export function DoneNote({ organizationSlug, undo: token, isDiscarded }: DoneNoteProps) {
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const message = isDiscarded ? 'Issue deleted. Future events are ignored.' : 'Issue deleted.'
  const [state] = useState<ActionState>({ kind: 'done', message, undo: token })
  return <ChangeToast state={state} undone={undone} undo={undo} organizationSlug={organizationSlug} />
}
