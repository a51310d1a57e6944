'use client'
import { startTransition, useActionState, useEffect, useState } from 'react'
import { CommandLabel } from '#ui/commands/command-label.tsx'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Toast } from '#ui/toast/toast.tsx'
import { type ActionState, idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'
import { carryResult, findBoard, forgetResult, useCarriedResult } from './triage.ts'

type Props = { state: ActionState; undone: ActionState; undo: (form: FormData) => void; organizationSlug: string }

/** The result of a change with an Undo button (also by key). Rendered from the form state, so that it works without JavaScript. */
export function ChangeToast({ state, undone, undo, organizationSlug }: Props) {
  const shown = useLatest(state, undone)
  const token = shown.kind === 'done' ? shown.undo : undefined
  useCommands([
    {
      ...keys.undo,
      id: 'issue.undo',
      label: 'Undo',
      kind: 'change',
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
            <CommandLabel label="Undo" shortcut={keys.undo.shortcut} />
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

/**
 * Shown on the list after an issue was deleted on its own page. With JavaScript it hands the result over to `CarriedToast` and takes it out of
 * the address: a reload or a copied link must not announce it again.
 */
export function DoneNote({ organizationSlug, undo: token, isDiscarded }: DoneNoteProps) {
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const [isCarried, setCarried] = useState(false)
  const message = isDiscarded ? 'Issue deleted. Future events are ignored.' : 'Issue deleted.'
  const [state] = useState<ActionState>({ kind: 'done', message, undo: token })
  useEffect(() => {
    carryResult(state)
    setCarried(true)
    const url = new URL(location.href)
    url.searchParams.delete('done')
    url.searchParams.delete('undo')
    // Without a state of its own, so that Next takes the URL over and keeps it at the next refresh.
    history.replaceState(null, '', url)
  }, [state])
  if (isCarried) return null
  return <ChangeToast state={state} undone={undone} undo={undo} organizationSlug={organizationSlug} />
}

/** In the layout, so that it outlives the page that announced the result. */
export function CarriedToast({ organizationSlug }: { organizationSlug: string }) {
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const state = useCarriedResult() ?? idle
  useEffect(() => forgetResult, [])
  useEffect(() => {
    if (undone.kind === 'done') findBoard()?.expect(undone.issues ?? [])
  }, [undone])
  return <ChangeToast state={state} undone={undone} undo={undo} organizationSlug={organizationSlug} />
}
