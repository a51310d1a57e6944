import { isHandler } from '#queries/route-list/summarise-route.ts'
import { formatMany } from '#ui/format-many.ts'
import { VitalCard } from '#ui/route/vital-card.tsx'
import type { RouteView } from './route-screen.tsx'

const vitals = [
  { name: 'lcp', says: 'largest paint' },
  { name: 'inp', says: 'interaction' },
  { name: 'cls', says: 'layout shift' },
  { name: 'ttfb', says: 'first byte' },
  { name: 'fcp', says: 'first paint' },
] as const

/** Of the newest release against the one before, where there are two; else of the whole time. */
export function VitalCards({ route }: RouteView) {
  const { summary, releases } = route
  if (isHandler(summary)) return null
  const seen = releases.filter(({ release, summary: own }) => release !== '' && own.pageLoads > 0)
  const [newest, before] = seen
  const shown = newest && before ? newest.summary : summary
  const measured = Math.max(...vitals.map(({ name }) => shown.vitals[name].hard.count))
  return (
    <>
      <div className="vitals">
        {vitals.map(({ name, says }) => (
          <VitalCard
            key={name}
            name={name}
            says={says}
            vital={shown.vitals[name]}
            before={before?.summary.vitals[name].hard.p75 ?? null}
          />
        ))}
      </div>
      <p className="t3">
        75th percentile of {formatMany(measured, 'measured page load')}, all devices together
        {newest && before ? `; ${newest.release} against ${before.release}, the release before` : ''}.
      </p>
    </>
  )
}
