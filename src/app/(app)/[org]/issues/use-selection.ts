'use client'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useLive } from '#web/live/use-live.ts'

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

const quietMs = 5_000 // a list is read, not watched: once in five seconds is live enough, and costs one page each time

type Count = { projectId: number; eventCount: number }

/** Draws the list again when something has arrived that it does not know. `counts` is what the drawn list knows. */
export function useFreshCounts(organizationSlug: string, counts: Count[]): void {
  const router = useRouter()
  const turn = useRef<{ lastAt: number; timer: ReturnType<typeof setTimeout> | null }>({ lastAt: 0, timer: null })
  useLive(organizationSlug, pulses => {
    const known = new Map(counts.map(({ projectId, eventCount }) => [projectId, eventCount]))
    const isNews = pulses.some(
      ({ projectId, eventCount }) => eventCount > (known.get(projectId) ?? Number.POSITIVE_INFINITY),
    )
    if (!isNews || turn.current.timer) return
    const waitMs = Math.max(0, turn.current.lastAt + quietMs - Date.now())
    turn.current.timer = setTimeout(() => {
      turn.current = { lastAt: Date.now(), timer: null }
      router.refresh()
    }, waitMs)
  })
}
