import type { Told } from '#lens/route-fetches.ts'
import { type RouteRollup, rollUpRoutes } from '#lens/route-rollup.ts'
import type { EventRow, SpanRow } from '#store/telemetry/rows.ts'
import type { BatchPlan } from '../plan/batch-plan.ts'
import type { Sighting } from '../yield.ts'

type Batch = {
  rows: { spans: readonly SpanRow[]; events: readonly EventRow[] }
  sightings: readonly Sighting[]
  plan?: Pick<BatchPlan, 'linked'>
  /** What its spans add to traces that began before it. */
  fetches?: readonly Told[]
}

/** The sums of a batch's routes. They follow from its rows and from the batches before it, so a repeat writes the same. */
export function rollUpBatch({ rows, sightings, fetches, plan }: Batch): RouteRollup[] {
  if (rows.spans.length === 0 && rows.events.length === 0) return []
  const sighted = new Map(sightings.map(sighting => [sighting.eventId, sighting]))
  const errors = rows.events
    .filter(({ kind, level }) => kind === 'error' && level !== 'warning' && level !== 'info' && level !== 'debug')
    .map(row => {
      const sighting = sighted.get(row.event_id)
      // Only a mismatch between server and browser happens in both places.
      const kind = sighting?.isSkew ? ('skew' as const) : sighting?.place === 'both' ? ('hydration' as const) : ''
      // The server's event counts for its route. Where it does not know the route, the browser's does.
      const weight = plan?.linked[row.event_id]?.route === '' ? 1 : row.weight
      return { ...row, kind, weight } as const
    })
    .filter(({ weight }) => weight > 0)
  return rollUpRoutes(rows.spans, errors, fetches)
}
