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

/** The selected issues. A completed change clears the selection; ids that left the list are not counted. */
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

const minIntervalMs = 5_000 // each refresh renders the whole page, and faster updates would not help the reader

type Count = { projectId: number; eventCount: number }

/** Refreshes the list when new events arrive. `counts` are the event counts of the rendered list. */
export function useFreshCounts(organizationSlug: string, counts: Count[]): void {
  const router = useRouter()
  const refresh = useRef<{ lastAt: number; timer: ReturnType<typeof setTimeout> | null }>({ lastAt: 0, timer: null })
  useLive(organizationSlug, stats => {
    const known = new Map(counts.map(({ projectId, eventCount }) => [projectId, eventCount]))
    const isNews = stats.some(
      ({ projectId, eventCount }) => eventCount > (known.get(projectId) ?? Number.POSITIVE_INFINITY),
    )
    if (!isNews || refresh.current.timer) return
    const waitMs = Math.max(0, refresh.current.lastAt + minIntervalMs - Date.now())
    refresh.current.timer = setTimeout(() => {
      refresh.current = { lastAt: Date.now(), timer: null }
      router.refresh()
    }, waitMs)
  })
}
