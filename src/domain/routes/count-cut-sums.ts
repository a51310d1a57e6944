import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cutSums, queryRouteSums, type RouteFilter } from './route-sums.ts'

/** At most so many are outside of a chosen time, although its numbers hold them. */
export type CutCounts = { views: number; requests: number; errors: number }

const row = z.object({ measure: z.string(), n: z.number() })

/** What the sums hold that a chosen time cuts, of one route or of all; null if it cuts none. */
export async function countCutSums(viewer: Viewer, filter: RouteFilter, route?: string): Promise<CutCounts | null> {
  const cut = cutSums(viewer.now, filter)
  if (cut.length === 0) return null
  const rows = await Promise.all(
    cut.map(time =>
      queryRouteSums(
        viewer,
        { ...filter, ...time },
        {
          query: ({ where }, bind) => `
            SELECT measure, sum(count) AS n FROM route_sums
            WHERE ${where} AND measure IN ('page_load', 'navigation', 'request', 'error')
              ${route === undefined ? '' : `AND route = ${bind(route, 'String')}`}
            GROUP BY measure LIMIT 4`,
          schema: row,
          hasErrors: true,
        },
      ),
    ),
  )
  const count = (...measures: string[]): number =>
    rows
      .flat()
      .filter(({ measure }) => measures.includes(measure))
      .reduce((sum, { n }) => sum + n, 0)
  return { views: count('page_load', 'navigation'), requests: count('request'), errors: count('error') }
}
