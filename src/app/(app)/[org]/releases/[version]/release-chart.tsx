import { FailedPanel } from '#ui/failed-panel.tsx'
import { EventBars } from '#ui/issue/event-bars.tsx'
import type { LoadedRelease } from './load-release.ts'

/** Errors of the release over time, with its deploys marked. */
export function ReleaseChart({ loaded: { bars, deploys } }: { loaded: LoadedRelease }) {
  if (!bars.ok) return <FailedPanel what="Events over time" reference={bars.reference} />
  if (bars.value.counts.every(count => count === 0))
    return <p className="lede">No error has come with this release in the last 14 days.</p>
  const { from, to } = bars.value
  const newest = new Map(deploys.map(deploy => [deploy.environment, deploy.finishedAt]))
  const marks = [...newest].map(([release, at]) => ({ release, at })).filter(({ at }) => at > from && at < to)
  return <EventBars bars={bars.value} marks={marks.slice(0, 4)} />
}
