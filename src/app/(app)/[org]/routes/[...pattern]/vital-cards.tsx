import { isHandler } from '#domain/routes/list-routes.ts'
import { measureRoute } from '#domain/routes/measure-route.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { ScrollRegion, Section } from '#ui/page-parts.tsx'
import { CourseChart } from '#ui/route/course-chart.tsx'
import { VitalCard } from '#ui/route/vital-card.tsx'
import { attempt } from '#web/attempt.ts'
import { courses, routeHref } from '../search-params.ts'
import { SummaryCells, summaryHeads } from './route-heading.tsx'
import type { RouteView } from './route-view.ts'

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

const words: Record<string, string> = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' }

export function DeviceTable({ route }: RouteView) {
  if (route.devices.length === 0) return null
  return (
    <Section title="By device">
      <ScrollRegion label="By device" className="tb-scroll">
        <table className="tb">
          <thead>
            <tr>
              <th>Device</th>
              {summaryHeads}
            </tr>
          </thead>
          <tbody>
            {route.devices.map(({ device, summary }) => (
              <tr key={device}>
                <td>{words[device] ?? device}</td>
                <SummaryCells summary={summary} before={undefined} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  )
}

const labels = { lcp: 'LCP', inp: 'INP', cls: 'CLS', ttfb: 'TTFB', fcp: 'FCP', request: 'Server time' } as const

export async function CourseSection({ viewer, params, filter, route }: RouteView) {
  const chart = isHandler(route.summary) ? 'request' : params.chart
  const course = await attempt('route course', measureRoute(viewer, filter, route.route, chart))
  return (
    <Section
      title={`${labels[chart]} over time`}
      note="p75"
      actions={
        isHandler(route.summary) ? null : (
          <nav className="views" aria-label="What to draw">
            {courses.map(each => (
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
      {course.ok ? (
        <CourseChart
          name={chart}
          label={labels[chart]}
          good={chart === 'request' ? null : route.summary.vitals[chart].good}
          course={course.value}
        />
      ) : (
        <FailedPanel what="The course of time" reference={course.reference} />
      )}
    </Section>
  )
}
