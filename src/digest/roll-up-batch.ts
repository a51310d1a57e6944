import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { routeSyntaxOf, slowRouteOf } from '#react/frameworks/find-frameworks.ts'
import { routeOf } from '#react/route.ts'
import type { RouteMeasurement } from '#react/route-fetches.ts'
import { type RouteError, type RouteRollup, rollUpRoutes } from '#react/route-rollup.ts'
import { isOfOneVisit } from '#react/routes/route-tree.ts'
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
  if (rows.spans.length === 0 && rows.events.length === 0 && fetches?.length === 0) return []
  return rollUpRoutes(rows.spans, routeErrorsOf({ rows, groupedEvents, plan }), fetches)
}

/** The errors that count on a route. */
export function routeErrorsOf<Row extends EventRow>({
  rows,
  groupedEvents,
  plan,
}: {
  rows: { events: readonly Row[] }
  groupedEvents: readonly GroupedEvent[]
  plan?: Pick<BatchPlan, 'linked'> | undefined
}): (RouteError & Row)[] {
  if (rows.events.length === 0) return []
  const groupedByKey = new Map(groupedEvents.map(grouped => [`${grouped.projectId}:${grouped.eventId}`, grouped]))
  const routes = new Map(rows.events.map(({ event_id, route }) => [event_id, route]))
  return rows.events
    .filter(({ kind, level }) => kind === 'error' && level !== 'warning' && level !== 'info' && level !== 'debug')
    .map(row => {
      const grouped = groupedByKey.get(`${row.project_id}:${row.event_id}`)
      const slowRoute = slowRouteOf(row.title)
      // The server's event counts for its route. If it has no route, the browser's event counts instead.
      const link = plan?.linked[row.event_id]
      const serverRoute = link && (routes.get(link.eventId) ?? link.route)
      const weight = serverRoute === '' ? 1 : row.weight
      // The page that was not reached, not the one that the user was still on.
      if (slowRoute !== null) {
        const route = routeOf(slowRoute, routeSyntaxOf(row.sdk_name))
        return { ...row, route: isOfOneVisit(route) ? unmatchedRoute : route, kind: 'route_load', weight } as const
      }
      // Only a mismatch between server and browser has both sides.
      const kind = grouped?.isSkew ? 'skew' : grouped?.side === 'both' ? 'hydration' : ''
      return { ...row, kind, weight } as const
    })
    .filter(({ weight }) => weight > 0)
}
