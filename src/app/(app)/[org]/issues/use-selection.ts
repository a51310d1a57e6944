'use client'
import { useState } from 'react'
import type { ActionState } from '#web/action-state.ts'

export type Selection = {
  count: number
  isAll: boolean
  /** Those that are listed. */
  ids: readonly number[]
  has(id: number): boolean
  toggle(id: number, isRange: boolean): void
  togglePage(): void
  selectAll(): void
  clear(): void
  /** Clears it for the next change. If the server refuses this one, or its request is lost, the selection is back. */
  submit(): void
}

type Chosen = {
  ids: ReadonlySet<number>
  isAll: boolean
  last: number | null
  /** What was selected when the form was submitted, until the result is there. */
  submitted: { ids: ReadonlySet<number>; isAll: boolean } | null
  result: ActionState
  losses: number
  /** The list that it was made in. */
  list: string
}

/** The selected issues. Ids that left the list are not counted, and another list begins without a selection. */
export function useSelection(list: string, ids: readonly number[], result: ActionState, losses: number): Selection {
  const none: Chosen = { ids: new Set(), isAll: false, last: null, submitted: null, result, losses, list }
  const [kept, setChosen] = useState(none)
  const chosen = kept.list === list ? kept : none
  if (kept.list !== list) setChosen(none)
  else if (chosen.result !== result || chosen.losses !== losses) {
    const isUndone = (result.kind === 'failed' || chosen.losses !== losses) && chosen.ids.size === 0
    setChosen({ ...chosen, ...(isUndone ? chosen.submitted : {}), submitted: null, result, losses })
  }
  const present = ids.filter(id => chosen.ids.has(id))
  return {
    count: present.length,
    isAll: chosen.isAll,
    ids: present,
    has: id => chosen.ids.has(id),
    toggle(id, isRange) {
      const next = new Set(chosen.ids)
      const from = isRange && chosen.last !== null ? ids.indexOf(chosen.last) : -1
      const to = ids.indexOf(id)
      if (from >= 0) for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each)
      else if (!next.delete(id)) next.add(id)
      setChosen({ ...chosen, ids: next, isAll: false, last: id })
    },
    togglePage: () => setChosen(present.length === ids.length ? none : { ...none, ids: new Set(ids) }),
    selectAll: () => setChosen({ ...none, ids: new Set(ids), isAll: true }),
    clear: () => setChosen(none),
    submit: () => setChosen({ ...none, submitted: { ids: chosen.ids, isAll: chosen.isAll } }),
  }
}
