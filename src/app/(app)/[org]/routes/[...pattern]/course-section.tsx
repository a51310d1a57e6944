import { measureRoute } from '#queries/route-list/measure-route.ts'
import { isHandler } from '#queries/route-list/summarise-route.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { Link } from '#ui/link.tsx'
import { CourseChart } from '#ui/route/course-chart.tsx'
import { Section } from '#ui/section.tsx'
import { attempt } from '#web/attempt.ts'
import { courses, routeHref } from '../search-params.ts'
import type { RouteView } from './route-screen.tsx'

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
