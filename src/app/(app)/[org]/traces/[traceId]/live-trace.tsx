'use client'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useLive } from '#web/live/use-live.ts'

const quietMs = 3_000
/** SDKs send what is left of a page view when its tab is closed, and servers when they stop: later than this hardly anything comes. */
const freshMs = 10 * 60_000

/** A trace fills in while it is looked at: children come before their segment, and the browser's half after the server's. */
export function LiveTrace({
  organizationSlug,
  endedAt,
  now,
}: {
  organizationSlug: string
  endedAt: number
  now: number
}) {
  const router = useRouter()
  const known = useRef<Map<number, number> | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useLive(organizationSlug, pulses => {
    // The first signal says where the projects stand; what is drawn already has that.
    const before = known.current
    known.current = new Map([...(before ?? []), ...pulses.map(pulse => [pulse.projectId, pulse.itemCount] as const)])
    const isNews = before !== null && pulses.some(pulse => pulse.itemCount > (before.get(pulse.projectId) ?? 0))
    if (!isNews || timer.current || now - endedAt > freshMs) return
    timer.current = setTimeout(() => {
      timer.current = null
      router.refresh()
    }, quietMs)
  })
  return null
}
