'use client'
import { useLive } from '#web/live/use-live.ts'
import { useRefresh } from '#web/live/use-refresh.ts'

const pauseMs = 5_000 // each refresh renders the whole page, and faster updates would not help the reader

type Count = { projectId: number; eventCount: number }

/** Refreshes the list when new events arrive. `counts` are the event counts of the rendered list. */
export function useFreshCounts(organizationSlug: string, counts: Count[]): void {
  const refresh = useRefresh({ pauseMs })
  useLive(organizationSlug, stats => {
    const known = new Map(counts.map(({ projectId, eventCount }) => [projectId, eventCount]))
    const isNews = stats.some(
      ({ projectId, eventCount }) => eventCount > (known.get(projectId) ?? Number.POSITIVE_INFINITY),
    )
    if (isNews) refresh()
  })
}
