'use client'
import { type RefObject, type SubmitEvent, startTransition, useEffect, useEffectEvent, useState } from 'react'
import { submitChange } from '#ui/commands/submit-change.ts'
import { nearestRow } from '#ui/issue-list/hold-rows.ts'
import type { ActionState } from '#web/action-state.ts'
import { markChanged, registerBoard } from './triage.ts'
import type { RowFocus } from './use-row-focus.ts'
import type { Selection } from './use-selection.ts'

type Props = {
  ids: readonly number[]
  rowFocus: RowFocus
  selection: Selection
  form: RefObject<HTMLFormElement | null>
  state: ActionState
  /** How often a request was lost: then its rows are back. */
  losses: number
  action: (data: FormData) => void
}

/**
 * Changes issues and moves on: focus goes to the row after the changed ones at once, so that the next key is about the next issue however
 * long the server takes. The rows leave when the list without them arrives.
 */
export function useSubmit({ ids, rowFocus, selection, form, state, losses, action }: Props) {
  const [leaving, setLeaving] = useState<{ ids: readonly number[]; state: ActionState; losses: number }>({
    ids: [],
    state,
    losses,
  })
  const inFlight = leaving.state === state && leaving.losses === losses ? leaving.ids : []

  function moveOn(issueIds: readonly number[]): void {
    markChanged(issueIds)
    setLeaving({ ids: [...inFlight, ...issueIds], state, losses })
    const from = ids.findLast(id => issueIds.includes(id)) ?? rowFocus.last() ?? -1
    rowFocus.focus(nearestRow(ids, from, id => !issueIds.includes(id)) ?? from)
  }
  /** Instead of React, which resets a form after its action: a refused change would lose the selection. */
  function submitForm(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { submitter } = event.nativeEvent
    const data = new FormData(event.currentTarget, submitter)
    startTransition(() => action(data))
    leave(selection.ids)
  }
  function leave(issueIds: readonly number[]): void {
    selection.submit()
    moveOn(issueIds)
  }
  const submitForPeek = useEffectEvent((data: FormData) => {
    startTransition(() => action(data))
    moveOn(data.getAll('issue').map(Number))
  })
  const bringBack = useEffectEvent((issueIds: readonly number[]) => {
    markChanged(issueIds)
    rowFocus.expect(issueIds)
  })
  useEffect(() => registerBoard({ submit: data => submitForPeek(data), expect: issueIds => bringBack(issueIds) }), [])

  return {
    submitForm,
    isLeaving: (id: number) => inFlight.includes(id),
    submit(change: string, issueIds: readonly number[] = selection.ids): void {
      submitChange(form.current, change, action, issueIds)
      leave(issueIds)
    },
  }
}
