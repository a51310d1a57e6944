import { rollUpBatch } from '#digest/loop/roll-up-batch.ts'
import type { RouteRollupRow } from '#store/telemetry/rows.ts'
import type { EventTemplate } from './event-templates.ts'
import type { SpanTemplate } from './trace-templates.ts'

export type RouteTemplate = { key: string; row: RouteRollupRow }

/** What digest would add to the sums of its route for one visit, and for one error. */
export function routeTemplates(spans: readonly SpanTemplate[], events: readonly EventTemplate[]): RouteTemplate[] {
  const visits = [...Map.groupBy(spans, ({ key }) => key)].flatMap(([key, own]) =>
    rollUpBatch({ rows: { spans: own.map(({ row }) => row), events: [] }, sightings: [] }).map(row => ({
      key: `visit ${key}`,
      row,
    })),
  )
  const errors = events.flatMap(({ key, row: event, sightings }) =>
    rollUpBatch({ rows: { spans: [], events: [event] }, sightings }).map(row => ({ key: `error ${key}`, row })),
  )
  return [...visits, ...errors]
}
