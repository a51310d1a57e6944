'use client'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useLive } from '#web/live/use-live.ts'

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
