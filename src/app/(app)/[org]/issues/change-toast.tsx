'use client'
import { type SubmitEvent, useEffect, useState } from 'react'
import { CommandLabel } from '#ui/commands/command-label.tsx'
import { keys } from '#ui/commands/keys.ts'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { Toast } from '#ui/toast/toast.tsx'
import { type ActionState, idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'
import { awaitAnswer, carryResult, findUndoer, recordStep, type UndoStep, useUndoSteps } from './triage.ts'

type Props = {
  state: ActionState
  /** For Undo without JavaScript. With it, `UndoSteps` undoes. */
  undone: ActionState
  undo: (form: FormData) => void
  organizationSlug: string
  isPending?: boolean
  kind?: UndoStep['kind']
}

/** The result of a change with an Undo button. Rendered from the form state, so that it works without JavaScript. */
export function ChangeToast({ state, undone, undo, organizationSlug, isPending = false, kind = 'change' }: Props) {
  const { latest, times } = useLatest(state, undone)
  // A second press that changed nothing offers to undo the first, unless that is done already.
  const last = useUndoSteps().at(-1)
  useEffect(() => {
    for (const step of stepsOf(state, kind)) recordStep(step)
  }, [state, kind])
  useEffect(() => (isPending ? awaitAnswer() : undefined), [isPending])
  if (latest.kind === 'idle') return null
  if (latest.kind === 'failed') return <Toast key={times} isFailure message={latest.message} />
  const step = stepsOf(latest, kind).findLast(({ token }) => token === latest.undo || token === last?.token)
  return (
    <Toast key={times} message={latest.message}>
      {step ? <UndoForm step={step} action={undo} organizationSlug={organizationSlug} /> : null}
    </Toast>
  )
}

/** Every change up to this result that can be undone, the newest last. */
function stepsOf(state: ActionState, kind: UndoStep['kind']): UndoStep[] {
  if (state.kind !== 'done') return []
  const { earlier = [], undo: token, message } = state
  const before = earlier.map(each => ({ token: each.undo, message: each.message, kind }))
  return token ? [...before, { token, message, kind }] : before
}

type UndoFormProps = { step: UndoStep; action: (form: FormData) => void; organizationSlug: string }

export function UndoForm({ step, action, organizationSlug }: UndoFormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    const undoStep = findUndoer()
    if (!undoStep) return
    event.preventDefault()
    undoStep(step)
  }
  return (
    <ActionForm action={action} onSubmit={submit}>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="undo" value={step.token} />
      <button type="submit" className="btn plain s" title={step.message}>
        <CommandLabel label="Undo" shortcut={keys.undo.shortcut} />
      </button>
    </ActionForm>
  )
}

/** The state that changed last, and how often one has. Without JavaScript only one of them is set. */
function useLatest(state: ActionState, undone: ActionState): { latest: ActionState; times: number } {
  const [seen, setSeen] = useState({ state, undone, latest: undone.kind === 'idle' ? state : undone, times: 0 })
  const times = seen.times + 1
  if (state !== seen.state) setSeen({ state, undone, latest: state, times })
  else if (undone !== seen.undone) setSeen({ state, undone, latest: undone, times })
  return seen
}

type DoneNoteProps = { organizationSlug: string; undo: string; isDiscarded: boolean }

/**
 * Shown on the list after an issue was deleted on its own page. With JavaScript it hands the result over to `UndoSteps` and takes it out of
 * the address: a reload or a copied link must not announce it again.
 */
export function DoneNote({ organizationSlug, undo: token, isDiscarded }: DoneNoteProps) {
  const [undone, undo] = useAction(undoIssueChanges, idle)
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
