'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { formatCount } from '#ui/format-count.ts'
import { useLive } from '#web/live/use-live.ts'

type Count = { projectId: number; eventCount: number }

/** Nothing moves unless asked: what has arrived waits behind a count. `counts` is what the drawn list already knows. */
export function NewEvents({ organizationSlug, counts }: { organizationSlug: string; counts: Count[] }) {
  const router = useRouter()
  const [latest, setLatest] = useState<ReadonlyMap<number, number>>(new Map())
  useLive(organizationSlug, pulses =>
    setLatest(
      before => new Map([...before, ...pulses.map(({ projectId, eventCount }) => [projectId, eventCount] as const)]),
    ),
  )
  const fresh = counts.reduce(
    (sum, { projectId, eventCount }) => sum + Math.max(0, (latest.get(projectId) ?? 0) - eventCount),
    0,
  )
  if (fresh === 0) return <div role="status" />
  return (
    <div className="newdata" role="status">
      <button type="button" className="btn plain s" onClick={() => router.refresh()}>
        {formatCount(fresh)} new {fresh === 1 ? 'event' : 'events'}, show
      </button>
    </div>
  )
}
