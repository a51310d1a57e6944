import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { routeSyntaxOf, slowRouteOf } from '#react/frameworks/find-frameworks.ts'
import { routeOf } from '#react/route.ts'
import type { RouteMeasurement } from '#react/route-fetches.ts'
import { type RouteRollup, rollUpRoutes } from '#react/route-rollup.ts'
import type { EventRow, SpanRow } from '#store/telemetry/rows.ts'
import type { BatchPlan } from './link/batch-plan.ts'

type Batch = {
  rows: { spans: readonly SpanRow[]; events: readonly EventRow[] }
  groupedEvents: readonly GroupedEvent[]
  plan?: Pick<BatchPlan, 'linked'>
  /** What its spans add to traces of earlier batches. */
  fetches?: readonly RouteMeasurement[]
}

/** The sums of a batch by route. They only depend on its rows and on earlier batches, so a repeat writes the same. */
export function rollUpBatch({ rows, groupedEvents, fetches, plan }: Batch): RouteRollup[] {
  if (rows.spans.length === 0 && rows.events.length === 0) return []
  const groupedByKey = new Map(groupedEvents.map(grouped => [`${grouped.projectId}:${grouped.eventId}`, grouped]))
  const errors = rows.events
    .filter(({ kind, level }) => kind === 'error' && level !== 'warning' && level !== 'info' && level !== 'debug')
    .map(row => {
      const grouped = groupedByKey.get(`${row.project_id}:${row.event_id}`)
      const slowRoute = slowRouteOf(row.title)
      // The server's event counts for its route. If it has no route, the browser's event counts instead.
      const weight = plan?.linked[row.event_id]?.route === '' ? 1 : row.weight
      // The page that was not reached, not the one that the user was still on.
      if (slowRoute !== null)
        return { ...row, route: routeOf(slowRoute, routeSyntaxOf(row.sdk_name)), kind: 'route_load', weight } as const
      // Only a mismatch between server and browser has both sides.
      const kind = grouped?.isSkew ? 'skew' : grouped?.side === 'both' ? 'hydration' : ''
      return { ...row, kind, weight } as const
    })
    .filter(({ weight }) => weight > 0)
  return rollUpRoutes(rows.spans, errors, fetches)
}
