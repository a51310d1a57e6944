'use client'
import { useLive } from '#web/live/use-live.ts'
import { useRefresh } from '#web/live/use-refresh.ts'

const delayMs = 3_000
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
  const refresh = useRefresh({ delayMs })
  useLive(organizationSlug, stats => {
    const known = new Map(counts.map(({ projectId, itemCount }) => [projectId, itemCount]))
    const isNews = stats.some(each => each.itemCount > (known.get(each.projectId) ?? 0))
    if (isNews && now - endedAt <= freshMs) refresh()
  })
  return null
}
