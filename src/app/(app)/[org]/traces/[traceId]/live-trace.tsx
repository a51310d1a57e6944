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
  counts,
  endedAt,
  now,
}: {
  organizationSlug: string
  /** The item counts of the projects, read before the rendered trace: a higher count is something that the page may lack. */
  counts: { projectId: number; itemCount: number }[]
  endedAt: number
  now: number
}) {
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useLive(organizationSlug, stats => {
    const known = new Map(counts.map(({ projectId, itemCount }) => [projectId, itemCount]))
    const isNews = stats.some(each => each.itemCount > (known.get(each.projectId) ?? 0))
    if (!isNews || timer.current || now - endedAt > freshMs) return
    timer.current = setTimeout(() => {
      timer.current = null
      router.refresh()
    }, debounceMs)
  })
  return null
}
