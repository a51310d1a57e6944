'use client'
import { startTransition, useEffect, useEffectEvent, useRef, useState } from 'react'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { undoRemoveComment } from './[issueId]/actions.ts'
import { undoIssueChanges } from './actions.ts'
import { ChangeToast, UndoForm } from './change-toast.tsx'
import {
  findBoard,
  forgetResult,
  forgetSteps,
  putBack,
  registerUndoer,
  takeStep,
  type UndoStep,
  useCarriedResult,
  useUnanswered,
  useUndoSteps,
} from './triage.ts'

/**
 * Undo by key and by the buttons of all toasts: each press undoes the change before. In the layout, so that it outlives the list, the
 * peek or the page that made the change, and the page that announced a result.
 */
export function UndoSteps({ organizationSlug }: { organizationSlug: string }) {
  const [changed, undoChange, isUndoing, lostChanges] = useAction(undoIssueChanges, idle)
  const [restored, undoComment, isRestoring, lostComments] = useAction(undoRemoveComment, idle)
  const carried = useCarriedResult() ?? idle
  const steps = useUndoSteps()
  const last = steps.at(-1)
  const isAnswered = useUnanswered() === 0
  const [isWanted, setWanted] = useState(false)
  const taken = useRef<UndoStep | null>(null)
  const lost = lostChanges + lostComments
  useEffect(() => {
    if (lost > 0 && taken.current) putBack(taken.current)
  }, [lost])
  const undoStep = useEffectEvent((step: UndoStep) => {
    takeStep(step)
    taken.current = step
    const form = new FormData()
    form.set('org', organizationSlug)
    form.set('undo', step.token)
    startTransition(() => (step.kind === 'comment' ? undoComment : undoChange)(form))
  })
  useEffect(() => registerUndoer(step => undoStep(step)), [])
  useEffect(() => {
    if (!isWanted || !isAnswered) return
    setWanted(false)
    if (last) undoStep(last)
  }, [isWanted, isAnswered, last])
  useEffect(() => {
    if (changed.kind === 'done') findBoard()?.expect(changed.issues ?? [])
  }, [changed])
  useEffect(
    () => () => {
      forgetResult()
      forgetSteps()
    },
    [],
  )
  useCommands([
    {
      ...keys.undo,
      id: 'issue.undo',
      label: last ? `Undo: ${last.message}` : 'Undo',
      kind: 'change',
      isAvailable: () => last !== undefined || !isAnswered,
      run: () => setWanted(true),
    },
  ])
  const undoPrevious =
    last && !isUndoing && !isRestoring ? (
      <UndoForm step={last} action={undoChange} organizationSlug={organizationSlug} />
    ) : null
  return (
    <>
      <ChangeToast state={carried} undone={idle} undo={undoChange} organizationSlug={organizationSlug} />
      <ActionToast state={changed}>{undoPrevious}</ActionToast>
      <ActionToast state={restored}>{undoPrevious}</ActionToast>
    </>
  )
}
