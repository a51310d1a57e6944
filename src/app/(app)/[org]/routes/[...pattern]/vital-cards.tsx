import { vitalBefore } from '#domain/findings/route/compare-profiles.ts'
import { routeLimits } from '#domain/findings/route/route-limits.ts'
import type { RouteOfRelease } from '#domain/routes/find-route.ts'
import { profileRoute } from '#domain/routes/route-profile.ts'
import { areViewsEstimated, hasOnlyRequests, measuredLoadsOf } from '#domain/routes/summarize-route.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { DataTable, stacked } from '#ui/data-table.tsx'
import { formatEstimate, formatSampled } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { TrendChart } from '#ui/route/trend-chart.tsx'
import { VitalCard, vitals } from '#ui/route/vital-card.tsx'
import { chartMetrics, routeHref } from '../search-params.ts'
import { SummaryCells, summaryColumns } from './route-heading.tsx'
import type { FirstScreen, RouteView } from './route-view.ts'

/**
 * The latest release compared with the previous one, if there are two; else the whole time range. With few page loads of the latest
 * release, the range too, and the release as a change.
 */
export function VitalCards({ route }: RouteView) {
  const { summary, releases } = route
  if (hasOnlyRequests(summary)) return null
  const seen = releases.filter(({ release, summary: own }) => release !== '' && own.pageLoads > 0)
  const [newest, before] = seen
  const isOfRelease = newest && before && newest.summary.stored.pageLoads >= routeLimits.minReleaseLoads
  const shown = isOfRelease ? newest.summary : summary
  const [profile, earlier] = [newest, before].map(each => each && profileRoute(each.sums))
  const measured = measuredLoadsOf(shown)
  const interactions = shown.vitals.inp.hard.count
  const count = (value: number, one: string) =>
    `${formatEstimate(value, areViewsEstimated(shown))} ${one}${Math.round(value) === 1 ? '' : 's'}`
  return (
    <>
      <div className="vitals">
        {vitals.map(({ name, meaning }) => (
          <VitalCard
            key={name}
            name={name}
            meaning={meaning}
            vital={shown.vitals[name]}
            after={newest?.summary.vitals[name].hard.p75}
            before={earlier && profile ? vitalBefore(earlier, profile, name) : null}
          />
        ))}
      </div>
      <p className="t3">
        75th percentile of {count(measured, 'measured page load')} on all devices
        {newest && before ? compared(newest, before.release, isOfRelease) : ''}.
        {interactions > 0 ? ` INP: of ${count(interactions, 'interaction')}.` : ''}
      </p>
    </>
  )
}

function compared({ release, summary }: RouteOfRelease, before: string, isShown: boolean | undefined): string {
  if (isShown) return `; ${release} compared with the previous release ${before}`
  const { pageLoads, stored } = summary
  return `; the changes are those of ${release} (${formatSampled(pageLoads, stored.pageLoads, 'page load')}) since the previous release ${before}`
}

const deviceLabels: Record<string, string> = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' }

export function DeviceTable({ route }: RouteView) {
  if (route.devices.length === 0) return null
  return (
    <Section title="By device">
      <DataTable isStacked label="By device" columns={['Device', ...summaryColumns]}>
        {route.devices.map(({ device, summary }) => (
          <tr {...stacked.row} key={device}>
            <td {...stacked.cell}>{deviceLabels[device] ?? device}</td>
            <SummaryCells summary={summary} before={null} />
          </tr>
        ))}
      </DataTable>
    </Section>
  )
}

const labels = { lcp: 'LCP', inp: 'INP', cls: 'CLS', ttfb: 'TTFB', fcp: 'FCP', request: 'Server time' } as const

export async function TrendSection({ viewer, params, route, trend: measured }: RouteView & Pick<FirstScreen, 'trend'>) {
  const chart = hasOnlyRequests(route.summary) ? 'request' : params.chart
  const trend = await measured
  return (
    <Section
      id="trend"
      title={`${labels[chart]} over time`}
      note="p75"
      actions={
        hasOnlyRequests(route.summary) ? null : (
          <nav className="views" aria-label="Metric">
            {chartMetrics.map(each => (
              <Link
                key={each}
                href={routeHref(viewer.organization.slug, route.route, params, { chart: each })}
                aria-current={each === chart ? 'page' : undefined}
                scroll={false}
              >
                {labels[each]}
              </Link>
            ))}
          </nav>
        )
      }
    >
      {trend.ok ? (
        <TrendChart
          name={chart}
          label={labels[chart]}
          good={chart === 'request' ? null : route.summary.vitals[chart].good}
          trend={trend.value}
        />
      ) : (
        <FailedPanel what="Trend" reference={trend.reference} />
      )}
    </Section>
  )
}
