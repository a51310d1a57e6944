'use client'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useLive } from '#web/live/use-live.ts'

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
