/**
 * Handles everything that needs more of a trace than one batch has: routes of spans that name none, and fetches of page views. The
 * state of a trace and the routes of a project follow from earlier batches in their order and are committed with them, so a repeat
 * finds the same state and needs no plan.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { routeSyntaxOf } from '#react/frameworks/find-frameworks.ts'
import { listTraceKeys, type RouteMeasurement, routeFetches } from '#react/route-fetches.ts'
import { errorSample, weighedSamples } from '#react/route-rollup.ts'
import {
  type KnownRoutes,
  learnRoutes,
  listClaimKeys,
  listClaims,
  type MissingPage,
  type ProjectRoute,
  type Resolution,
  type RouteMove,
  resolveRoutes,
} from '#react/routes/resolve-routes.ts'
import { addOpen, type OpenClaim, type TraceRoutes } from '#react/routes/trace-routes.ts'
import { newTraceState, projectOfTrace, type TraceState, traceKey, traceState } from '#react/trace-state.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { EventRow, SpanRow } from '#store/telemetry/rows.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import type { BatchRecord } from './process-records.ts'
import { routeErrorsOf } from './roll-up-batch.ts'

/** The parts of a trace may arrive minutes apart: an interaction is sent when the page is left. */
const keptMs = 10 * 60_000
/** A page view lasts 30 s at most, and Next.js prefetches a page again after five minutes. */
const fetchesKeptMs = 5 * 60_000
/** After this, a route is learned again from its next page view: an app's routes change, and only so many are kept. */
const routesKeptMs = 30 * 86_400_000
/** Of a project in one batch. In a flood, the rest stays where it is counted. */
const maxOpened = 500
/** The most traces that are counted again when a route is seen for the first time. */
const maxWaitingTraces = 2_000

type Place = {
  control: Control
  inboxId: string
  /** The batch before this one, while it is not committed. */
  previous: PreparedBatch | null
  /** As they were before any of them was filtered: control flow says which pages do not exist. */
  records: readonly BatchRecord[]
}

export async function followTraces(batch: PreparedBatch, place: Place): Promise<PreparedBatch> {
  const { spans, events } = batch.rows
  const claims = listClaims({ spans, errors: events })
  const missing = listMissing(place.records)
  const keys = new Set([...listTraceKeys(spans), ...listClaimKeys(claims), ...missing.map(traceKey)])
  if (keys.size === 0 && claims.spans.length === 0) return batch
  const known = await readRoutes(place, batch.receivedAt, new Set([...spans, ...events].map(row => row.project_id)))
  const routes = learnRoutes(spans, claims, known)
  const states = await readTraces(place, batch, { keys, routes })
  const resolved = resolveRoutes(
    { spans, errors: events, missing },
    claims,
    withRoutes(known, routes),
    new Map([...states].flatMap(([key, state]) => (state.routes === null ? [] : [[key, state.routes]]))),
  )
  const culprits = new Map(
    resolved.errors.filter((error, at) => error !== events[at]).map(({ event_id, culprit }) => [event_id, culprit]),
  )
  const changed: PreparedBatch = {
    ...batch,
    rows: { ...batch.rows, spans: resolved.spans, events: resolved.errors },
    groupedEvents: batch.groupedEvents.map(each => {
      const culprit = culprits.get(each.eventId)
      return culprit === undefined ? each : { ...each, culprit }
    }),
  }
  const { measurements, traces } = routeFetches(resolved.spans, states)
  const fetches = measurements.map(each => onViewRoute(each, resolved.traces))
  keepOpen(changed, resolved, fetches)
  for (const [key, own] of resolved.traces) {
    const before = states.get(key)
    if (!keys.has(key) && isDeepStrictEqual(before?.routes, own)) continue // read for its project alone
    if (before === undefined && isEmpty(own) && !traces.has(key)) continue
    traces.set(key, { ...(traces.get(key) ?? before ?? newTraceState()), routes: isEmpty(own) ? null : own })
  }
  const { corrections, moves } = resolved
  return { ...changed, fetches: [...fetches, ...corrections], traces, routes, moves }
}

const isEmpty = ({ views, missing, found, open }: TraceRoutes): boolean =>
  views.length + missing.length + found.length + open.length === 0

/** A router that names a page by its path, even one that does not exist, reports in the same trace that it does not. */
const listMissing = (records: readonly BatchRecord[]): MissingPage[] =>
  records.flatMap(({ processed: { groupedEvents, rows } }) =>
    groupedEvents.flatMap(({ noise, eventId }) => {
      if (!noise.includes('not-found')) return []
      const row = rows.events?.find(each => each.event_id === eventId)
      return row !== undefined && routeSyntaxOf(row.sdk_name).namesMissingPages ? [row] : []
    }),
  )

async function readRoutes({ control, inboxId, previous }: Place, at: number, projectIds: ReadonlySet<number>) {
  const known = new Map<number, Set<string>>([...projectIds].map(id => [id, new Set()]))
  for (const chunk of chunksOf([...projectIds])) {
    const rows = await control.db
      .selectFrom('known_route')
      .select(['project_id', 'route'])
      .where('inbox_id', '=', inboxId)
      .where('project_id', 'in', chunk)
      .where('seen_at', '>=', at - routesKeptMs)
      .execute()
    for (const { project_id, route } of rows) known.get(project_id)?.add(route)
  }
  for (const { project_id, route } of previous?.routes ?? []) known.get(project_id)?.add(route)
  return known
}

function withRoutes(known: ReadonlyMap<number, ReadonlySet<string>>, routes: readonly ProjectRoute[]): KnownRoutes {
  if (routes.length === 0) return known
  const all = new Map<number, Set<string>>([...known].map(([id, own]) => [id, new Set(own)]))
  for (const { project_id, route } of routes) all.get(project_id)?.add(route)
  return all
}

type Needed = { keys: ReadonlySet<string>; routes: readonly ProjectRoute[] }

/** The states of these traces, and of all in which something waits for a route of a project that is new. */
async function readTraces(
  { control, inboxId, previous }: Place,
  { receivedAt }: PreparedBatch,
  { keys, routes }: Needed,
): Promise<Map<string, TraceState>> {
  // By the time of the records, not the clock. The commit of the previous batch deletes what is older than its own limit.
  const since = Math.max(receivedAt, previous?.traces.size ? previous.receivedAt : 0) - keptMs
  const stored = control.db
    .selectFrom('trace_memory')
    .select(['trace', 'memory', 'seen_at'])
    .where('inbox_id', '=', inboxId)
    .where('seen_at', '>=', since)
  const states = new Map<string, TraceState>()
  const withFetches = (state: TraceState, seenAt: number): TraceState =>
    seenAt < receivedAt - fetchesKeptMs ? { ...newTraceState(), routes: state.routes } : state
  const add = (rows: readonly { trace: string; memory: string; seen_at: number }[]): void => {
    for (const { trace, memory, seen_at } of rows)
      states.set(trace, withFetches(traceState.parse(JSON.parse(memory)), seen_at))
  }
  for (const chunk of chunksOf([...keys])) add(await stored.where('trace', 'in', chunk).execute())
  const projects = [...new Set(routes.map(({ project_id }) => project_id))]
  for (const chunk of chunksOf(projects))
    add(
      await stored
        .where('waiting_project_id', 'in', chunk)
        .orderBy('seen_at', 'desc')
        .orderBy('trace')
        .limit(maxWaitingTraces)
        .execute(),
    )
  // The stored state may be older than the previous batch: a trace that waits there may have its route by now.
  if (previous !== null && previous.receivedAt >= since)
    for (const [key, state] of previous.traces)
      if (keys.has(key) || states.has(key) || projects.some(id => id === waitingProject(key, state)))
        states.set(key, withFetches(state, previous.receivedAt))
  return states
}

/** The project of a trace in which something waits for a route; null in any other. */
const waitingProject = (key: string, { routes }: TraceState): number | null =>
  routes !== null && routes.open.length > 0 ? projectOfTrace(key) : null

/** The fetches of a page view count where it does. */
function onViewRoute(measurement: RouteMeasurement, traces: ReadonlyMap<string, TraceRoutes>): RouteMeasurement {
  const { segmentId, source } = measurement
  if (segmentId === '' || traces.size === 0) return measurement
  const view = traces.get(measurement.traceKey)?.views.find(each => each.segmentId === segmentId)
  return view === undefined ? measurement : { ...measurement, source: { ...source, route: view.route } }
}

/** Keeps what was counted for now with its samples, so that they can be moved. */
function keepOpen(
  batch: PreparedBatch,
  { opened, traces }: Resolution<SpanRow, EventRow>,
  fetches: readonly RouteMeasurement[],
): void {
  if (opened.length === 0) return
  const openedByProject = new Map<number, number>()
  const errors = new Map(routeErrorsOf(batch).map(error => [error.event_id, error]))
  const inViews = {
    longFrames: Map.groupBy(
      batch.rows.spans.filter(({ op }) => op.startsWith('ui.long')),
      segmentKey,
    ),
    fetches: Map.groupBy(fetches, each => `${each.traceKey} ${each.segmentId}`),
  }
  for (const { key, claim, counted, span, error } of opened) {
    const trace = traces.get(key)
    const project = projectOfTrace(key)
    const count = (openedByProject.get(project) ?? 0) + 1
    openedByProject.set(project, count)
    if (trace === undefined || count > maxOpened) continue
    if (span !== undefined) {
      const samples = samplesOf(span, counted, inViews)
      addOpen(trace, { ...openOf(span), claim, counted, samples })
    } else {
      const counting = errors.get(error.event_id)
      if (counting === undefined) continue
      const samples = [{ ...errorSample(counting), weight: counting.weight }]
      const { group_hash, received_at } = error
      const source = { ...sourceOf(error), timestamp: error.timestamp * 1e3, group_hash, received_at }
      addOpen(trace, { claim, counted, segmentId: '', rowId: error.event_id, source, samples })
    }
  }
}

const segmentKey = (span: SpanRow): string => `${traceKey(span)} ${span.segment_id}`

/** By segment. */
type InViews = {
  longFrames: ReadonlyMap<string, readonly SpanRow[]>
  fetches: ReadonlyMap<string, readonly RouteMeasurement[]>
}

/** All that is counted where the page view is. */
function samplesOf(span: SpanRow, counted: string, { longFrames, fetches }: InViews): OpenClaim['samples'] {
  const own = weighedSamples({ ...span, route: counted })
  if (span.op !== 'navigation' && span.op !== 'pageload') return own
  const key = segmentKey(span)
  return [
    ...own,
    ...(longFrames.get(key) ?? []).flatMap(each => weighedSamples({ ...each, route: counted })),
    ...(fetches.get(key) ?? []).map(({ sample, source }) => ({ ...sample, weight: source.weight })),
  ]
}

const openOf = (span: SpanRow) => ({
  segmentId: span.segment_id,
  rowId: span.span_id,
  source: { ...sourceOf(span), group_hash: '', received_at: 0 },
})

const sourceOf = ({
  project_id,
  timestamp,
  retention_days,
  release,
  environment,
  os_name,
  device,
}: SpanRow | EventRow) => ({
  project_id,
  timestamp,
  retention_days,
  release,
  environment,
  os_name,
  device,
})

/** In the transaction that commits the batch. */
export async function saveTraceMemories(
  trx: Transaction<ControlSchema>,
  inboxId: string,
  { traces, routes, moves, receivedAt }: PreparedBatch,
): Promise<void> {
  await saveRoutes(trx, inboxId, { routes, receivedAt })
  await saveMoves(trx, moves)
  if (traces.size === 0) return
  const rows = [...traces].map(([trace, memory]) => ({
    inbox_id: inboxId,
    trace,
    memory: JSON.stringify(memory),
    seen_at: receivedAt,
    waiting_project_id: waitingProject(trace, memory),
  }))
  for (const chunk of chunksOf(rows))
    await trx
      .insertInto('trace_memory')
      .values(chunk)
      .onConflict(conflict =>
        conflict.columns(['inbox_id', 'trace']).doUpdateSet(eb => ({
          memory: eb.ref('excluded.memory'),
          seen_at: eb.ref('excluded.seen_at'),
          waiting_project_id: eb.ref('excluded.waiting_project_id'),
        })),
      )
      .execute()
  await trx
    .deleteFrom('trace_memory')
    .where('inbox_id', '=', inboxId)
    .where('seen_at', '<', receivedAt - keptMs)
    .execute()
}

async function saveRoutes(
  trx: Transaction<ControlSchema>,
  inboxId: string,
  { routes, receivedAt }: Pick<PreparedBatch, 'routes' | 'receivedAt'>,
): Promise<void> {
  for (const chunk of chunksOf(routes))
    await trx
      .insertInto('known_route')
      .values(chunk.map(each => ({ ...each, inbox_id: inboxId, seen_at: receivedAt })))
      .onConflict(conflict =>
        conflict
          .columns(['inbox_id', 'project_id', 'route'])
          .doUpdateSet(eb => ({ seen_at: eb.ref('excluded.seen_at') })),
      )
      .execute()
  if (routes.length > 0)
    await trx
      .deleteFrom('known_route')
      .where('inbox_id', '=', inboxId)
      .where('seen_at', '<', receivedAt - 2 * routesKeptMs)
      .execute()
}

/** For the job that rewrites the stored rows. A row that moves twice before it runs needs only the last route. */
async function saveMoves(trx: Transaction<ControlSchema>, moves: readonly RouteMove[]): Promise<void> {
  const last = new Map(moves.map(move => [`${move.kind} ${move.project_id} ${move.trace_id} ${move.id}`, move]))
  for (const chunk of chunksOf([...last.values()]))
    await trx
      .insertInto('route_move')
      .values(chunk)
      .onConflict(conflict =>
        conflict
          .columns(['project_id', 'trace_id', 'kind', 'id'])
          .doUpdateSet(eb => ({ route: eb.ref('excluded.route') })),
      )
      .execute()
}
