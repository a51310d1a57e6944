'use client'
import { useState } from 'react'

export type Selection = {
  count: number
  isAll: boolean
  has(id: number): boolean
  toggle(id: number, isRange: boolean): void
  togglePage(): void
  selectAll(): void
  clear(): void
}

/** Which issues are ticked. A change that was carried out clears it; ids that have left the list are forgotten. */
export function useSelection(ids: number[], change: unknown): Selection {
  const [chosen, setChosen] = useState<{
    ids: ReadonlySet<number>
    isAll: boolean
    last: number | null
    change: unknown
  }>({
    ids: new Set(),
    isAll: false,
    last: null,
    change,
  })
  const none = { ids: new Set<number>(), isAll: false, last: null, change }
  if (chosen.change !== change) setChosen(none)
  const present = ids.filter(id => chosen.ids.has(id))
  return {
    count: present.length,
    isAll: chosen.isAll,
    has: id => chosen.ids.has(id),
    toggle(id, isRange) {
      const next = new Set(chosen.ids)
      const from = isRange && chosen.last !== null ? ids.indexOf(chosen.last) : -1
      const to = ids.indexOf(id)
      if (from >= 0) for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each)
      else if (!next.delete(id)) next.add(id)
      setChosen({ ids: next, isAll: false, last: id, change })
    },
    togglePage: () => setChosen(present.length === ids.length ? none : { ...none, ids: new Set(ids) }),
    selectAll: () => setChosen({ ...none, ids: new Set(ids), isAll: true }),
    clear: () => setChosen(none),
  }
}
