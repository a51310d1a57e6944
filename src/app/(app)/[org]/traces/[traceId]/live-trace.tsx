'use client'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useLive } from '#web/live/use-live.ts'

const debounceMs = 3_000
/** SDKs send the rest of a page view when its tab closes. After this long, hardly any spans arrive. */
const freshMs = 10 * 60_000

/** Refreshes the page while spans still arrive: children come before their segment, browser spans after server spans. */
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
  useLive(organizationSlug, stats => {
    // The first message holds the current counts, which the page already shows.
    const before = known.current
    known.current = new Map([...(before ?? []), ...stats.map(each => [each.projectId, each.itemCount] as const)])
    const isNews = before !== null && stats.some(each => each.itemCount > (before.get(each.projectId) ?? 0))
    if (!isNews || timer.current || now - endedAt > freshMs) return
    timer.current = setTimeout(() => {
      timer.current = null
      router.refresh()
    }, debounceMs)
  })
  return null
}
