import { z } from 'zod'
import type { VitalName } from '#lens/web-vitals.ts'
import { quantileOf } from '#lib/log-histogram.ts'
import { boundParams } from '../issue-list/bound-params.ts'
import type { Viewer } from '../viewer.ts'
import { rememberRange } from './remember-range.ts'
import type { RouteFilter } from './route-filter.ts'
import { routeScope } from './route-scope.ts'

const row = z.object({ step: z.coerce.number(), histogram: z.tuple([z.array(z.number()), z.array(z.number())]) })

/** The 75th percentile of each step, oldest first; null where nothing was measured. */
export type RouteCourse = { from: number; to: number; steps: (number | null)[]; count: number }

/** One vital of a route's page loads over time; `request` is the server's time. */
export const measureRoute = (
  viewer: Viewer,
  filter: RouteFilter,
  route: string,
  measure: VitalName | 'request',
): Promise<RouteCourse> =>
  rememberRange(viewer, filter, { of: ['route course', route, measure], count: ({ count }) => count }, () =>
    readCourse(viewer, filter, route, measure),
  )

async function readCourse(
  viewer: Viewer,
  filter: RouteFilter,
  route: string,
  measure: VitalName | 'request',
): Promise<RouteCourse> {
  const { params, bind } = boundParams()
  const { where, stepSql, from, to, steps, settings } = routeScope(viewer, filter, bind)
  const detail = measure === 'request' ? '' : `AND detail = 'hard'`
  const rows = await viewer.telemetry.query({
    query: `
      SELECT ${stepSql} AS step, sumMap(bins, bin_counts) AS histogram
      FROM route_sums
      WHERE ${where} AND route = ${bind(route, 'String')} AND measure = ${bind(measure, 'String')} ${detail}
      GROUP BY step LIMIT 1000`,
    params,
    schema: row,
    settings,
  })
  const course: (number | null)[] = new Array(steps).fill(null)
  for (const { step, histogram } of rows)
    course[Math.min(Math.max(0, step), steps - 1)] = quantileOf({ bins: histogram[0], counts: histogram[1] }, 0.75)
  const count = rows.flatMap(({ histogram }) => histogram[1]).reduce((sum, each) => sum + each, 0)
  return { from, to, steps: course, count }
}
