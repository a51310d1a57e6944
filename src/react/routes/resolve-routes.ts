/**
 * Finds the route of each page view, request, error and interaction. A span alone often names less: some servers answer all paths in
 * one handler, and some browsers name the path of one visit. Then the trace decides, or the routes that the project is known to have.
 * Until one of them does, a span counts as unmatched. Later it moves to the right place.
 */

import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { routeSyntaxOf, spellingsOf } from '../frameworks/find-frameworks.ts'
import { pathOf } from '../path-of.ts'
import { routeOf } from '../route.ts'
import type { RouteMeasurement } from '../route-fetches.ts'
import type { RouteSpan } from '../route-sample.ts'
import { projectOfTrace, traceIdOf, traceKey } from '../trace-state.ts'
import { resolveClaim } from './resolve-claim.ts'
import { claimOfError, claimOfSpan, type RouteClaim } from './route-claim.ts'
import { isDynamic, isShort, type RouteTree, routeTree } from './route-tree.ts'
import { addPath, addView, newTraceRoutes, type OpenClaim, type TraceRoutes } from './trace-routes.ts'

export type ResolvableSpan = RouteSpan & {
  name: string
  segment_source: string
  route_raw: string
}
export type ResolvableError = {
  project_id: number
  event_id: string
  trace_id: string
  /** Milliseconds. */
  timestamp: number
  sdk_name: string
  route_raw: string
  route: string
  culprit: string
  url: string
}
/** A URL that a router has no route for. */
export type MissingPage = { project_id: number; trace_id: string; url: string }
export type ProjectRoute = { project_id: number; route: string }

type Input<Span, Failure> = {
  spans: readonly Span[]
  errors: readonly Failure[]
  missing: readonly MissingPage[]
}
/** By project. */
export type KnownRoutes = ReadonlyMap<number, ReadonlySet<string>>
/** By `traceKey`. They are not changed. */
type KnownTraces = ReadonlyMap<string, TraceRoutes>

/** Counted in a place that may be wrong. The samples are added once they are measured. */
export type Opened<Span, Failure> = { key: string; claim: RouteClaim; counted: string } & (
  | { span: Span; error?: undefined }
  | { error: Failure; span?: undefined }
)
/** A stored row whose route is known now: the span or the event `id`. Spans of a segment that have no route of their own move with it. */
export type RouteMove = {
  kind: 'span' | 'event'
  project_id: number
  trace_id: string
  id: string
  /** Of the row, in milliseconds. */
  at: number
  route: string
}
export type Resolution<Span, Failure> = {
  spans: Span[]
  errors: Failure[]
  /** The new state of the traces of this batch. */
  traces: Map<string, TraceRoutes>
  opened: Opened<Span, Failure>[]
  /** These move samples that earlier batches have counted elsewhere. */
  corrections: RouteMeasurement[]
  moves: RouteMove[]
}

type Claimed<Each> = { each: Each; claim: RouteClaim }

/** Spans and errors whose route depends on more than themselves. */
export type Claims<Span, Failure> = { spans: Claimed<Span>[]; errors: Claimed<Failure>[] }

export function listClaims<Span extends ResolvableSpan, Failure extends ResolvableError>({
  spans,
  errors,
}: Pick<Input<Span, Failure>, 'spans' | 'errors'>): Claims<Span, Failure> {
  const claims: Claims<Span, Failure> = { spans: [], errors: [] }
  for (const each of spans) {
    const claim = claimOfSpan(each)
    if (claim !== null) claims.spans.push({ each, claim })
  }
  for (const each of errors) {
    const claim = claimOfError(each)
    if (claim !== null && claim.certainty !== 'sure') claims.errors.push({ each, claim })
  }
  return claims
}

/** The traces whose state these claims need. Only page views need it although they are sure: others refer to them. */
export function listClaimKeys({ spans, errors }: Claims<RouteSpan, ResolvableError>): string[] {
  const isOpen = ({ claim: { kind, certainty } }: Claimed<unknown>): boolean => kind === 'view' || certainty !== 'sure'
  return [...new Set([...spans.filter(isOpen), ...errors.filter(isOpen)].map(({ each }) => traceKey(each)))]
}

/** Of a project. An app has dozens or hundreds. Pages say so when there are as many: more are not learned. */
export const maxKnownRoutes = 1_000

/** Routes of the project that these spans show for the first time. */
export function learnRoutes<Span extends ResolvableSpan>(
  spans: readonly Span[],
  claims: Claims<Span, ResolvableError>,
  known: KnownRoutes,
): ProjectRoute[] {
  const learned = new Map<number, Set<string>>()
  const learn = ({ project_id }: Span, route: string): void => {
    const own = known.get(project_id)
    if (route === '' || own === undefined || own.has(route)) return
    const added = learned.get(project_id) ?? new Set()
    if (own.size + added.size >= maxKnownRoutes || !isShort(route)) return
    learned.set(project_id, added.add(route))
  }
  for (const { each, claim } of claims.spans)
    if (claim.certainty === 'sure' && (claim.kind === 'view' || (claim.kind === 'request' && !isError(each))))
      learn(each, claim.route)
  for (const span of spans) {
    const { op, sdk_name, origin } = span
    // Of SDKs that name whole routes, the page views are enough.
    if (span.is_segment && (op === 'pageload' || op === 'navigation')) {
      if (routeSyntaxOf(sdk_name, origin).hasWholeRoutes && span.segment_source !== 'url') learn(span, span.route)
    } else if (op.startsWith('function.') && routeSyntaxOf(sdk_name, origin).wholeRouteOps?.has(op))
      learn(span, routeOf(span.name, routeSyntaxOf(sdk_name, origin)))
  }
  return [...learned].flatMap(([project_id, routes]) => Array.from(routes, route => ({ project_id, route })))
}

/** Anything may be asked for: a path that a server refuses proves no route. */
const isError = ({ status_code: code }: RouteSpan): boolean => code === 404 || code === 405

export function resolveRoutes<Span extends ResolvableSpan, Failure extends ResolvableError>(
  { spans, errors, missing }: Input<Span, Failure>,
  claims: Claims<Span, Failure>,
  routes: KnownRoutes,
  knownTraces: KnownTraces,
): Resolution<Span, Failure> {
  const traces = new Map<string, TraceRoutes>()
  const stateOf = (each: { project_id: number; trace_id: string }): TraceRoutes => {
    const key = traceKey(each)
    let state = traces.get(key)
    if (state === undefined) {
      state = structuredClone(knownTraces.get(key)) ?? newTraceRoutes()
      traces.set(key, state)
    }
    return state
  }
  const treeOf = treesOf(routes)
  const opened: Resolution<Span, Failure>['opened'] = []
  addEvidence({ claims, missing, knownTraces }, stateOf)
  const settled: Settled = { corrections: [], moves: [] }
  for (const [key, state] of traces) settleOpen(key, state, isView, { treeOf, settled })

  const routeBySpan = new Map<Span, string>()
  const routeBySegment = new Map<string, string>()
  const resolve = ({ each, claim }: Claimed<Span>): void => {
    const { project_id, timestamp, segment_id } = each
    if (claim.certainty === 'sure' && claim.kind !== 'view') {
      routeBySpan.set(each, claim.route)
      return
    }
    const trace = stateOf(each)
    const spelled = each.sdk_name === '' ? spellingKnown(routes.get(project_id), each.route_raw) : null
    const known = { trace, project: treeOf(project_id) }
    const { route, isFinal } =
      spelled === null ? resolveClaim(claim, known, timestamp) : { route: spelled, isFinal: true }
    routeBySpan.set(each, route)
    if (each.is_segment && claim.kind !== 'page') routeBySegment.set(`${traceKey(each)} ${segment_id}`, route)
    if (claim.kind === 'view') {
      const { raw, path } = claim
      addView(trace, { segmentId: segment_id, raw, path, route, isFinal, at: timestamp })
    }
    if (!isFinal) opened.push({ key: traceKey(each), claim, counted: route, span: each })
  }
  // Page views first, because the others refer to them.
  for (const claimed of claims.spans) if (claimed.claim.kind === 'view') resolve(claimed)
  for (const claimed of claims.spans) if (claimed.claim.kind !== 'view') resolve(claimed)

  const routeByError = new Map<Failure, string>()
  for (const { each, claim } of claims.errors) {
    const { project_id, timestamp } = each
    const project = treeOf(project_id)
    const { route, isFinal } = resolveClaim(claim, { trace: stateOf(each), project }, timestamp * 1e3)
    routeByError.set(each, route)
    if (!isFinal) opened.push({ key: traceKey(each), claim, counted: route, error: each })
  }
  for (const [key, state] of traces) settleOpen(key, state, claim => !isView(claim), { treeOf, settled })
  return {
    spans: spans.map(span => withRoute(span, routeBySpan.get(span) ?? segmentRoute(span, routeBySegment))),
    errors: errors.map(error => withErrorRoute(error, routeByError.get(error))),
    traces,
    opened,
    ...settled,
  }
}

type Settled = Pick<Resolution<unknown, unknown>, 'corrections' | 'moves'>

/** Each tree is built when the first path is looked up in it. */
function treesOf(routes: KnownRoutes): (projectId: number) => RouteTree {
  const trees = new Map<number, RouteTree>()
  const build = (projectId: number): RouteTree => {
    const tree = trees.get(projectId) ?? routeTree(routes.get(projectId) ?? [])
    trees.set(projectId, tree)
    return tree
  }
  return projectId => ({ find: path => build(projectId).find(path) })
}

/** Which paths exist, and which don't. */
function addEvidence(
  {
    claims,
    missing,
    knownTraces,
  }: { claims: Claims<RouteSpan, unknown>; missing: readonly MissingPage[]; knownTraces: KnownTraces },
  stateOf: (each: { project_id: number; trace_id: string }) => TraceRoutes,
): void {
  for (const key of knownTraces.keys()) stateOf({ project_id: projectOfTrace(key), trace_id: traceIdOf(key) })
  for (const { each, claim } of claims.spans) {
    if (claim.kind !== 'request' || claim.certainty === 'sure') continue
    const { status_code: code } = each
    if (code > 0 && code < 400) addPath(stateOf(each).found, claim.path)
    else if (code === 404) addPath(stateOf(each).missing, claim.path)
  }
  for (const page of missing) addPath(stateOf(page).missing, pathOf(page.url))
}

/** An interaction whose SDK is not named has only the text of its route, which may be in any framework's spelling. */
function spellingKnown(known: ReadonlySet<string> | undefined, raw: string): string | null {
  const spellings = spellingsOf(raw)
  return spellings.find(route => known?.has(route)) ?? spellings.find(isDynamic) ?? null
}

const segmentRoute = (span: RouteSpan, routes: ReadonlyMap<string, string>): string | undefined =>
  routes.size === 0 ? undefined : routes.get(`${traceKey(span)} ${span.segment_id}`)

const withRoute = <Span extends { route: string }>(span: Span, route: string | undefined): Span =>
  route === undefined || route === span.route ? span : { ...span, route }

/** A culprit that is only a path becomes the route, which is the same for all paths. */
function withErrorRoute<Failure extends ResolvableError>(error: Failure, route: string | undefined): Failure {
  if (route === undefined || route === error.route) return error
  const isNamedByPath = route !== unmatchedRoute && error.culprit === error.route_raw
  return { ...error, route, ...(isNamedByPath ? { culprit: route } : {}) }
}

const isView = ({ kind }: RouteClaim): boolean => kind === 'view'

/** Counts what is known by now where it belongs, and no longer where it was. */
function settleOpen(
  key: string,
  state: TraceRoutes,
  isMeant: (claim: RouteClaim) => boolean,
  { treeOf, settled }: { treeOf: (projectId: number) => RouteTree; settled: Settled },
): void {
  const stillOpen: OpenClaim[] = []
  for (const open of state.open) {
    const { claim, source, segmentId, counted } = open
    if (!isMeant(claim)) {
      stillOpen.push(open)
      continue
    }
    const known = { trace: state, project: treeOf(source.project_id) }
    const { route, isFinal } = resolveClaim(claim, known, source.timestamp)
    if (route !== counted) {
      settled.corrections.push(...moveSamples(open, route))
      if (open.rowId !== '') settled.moves.push(moveOf(key, open, route))
    }
    const view = isView(claim) ? state.views.find(each => each.segmentId === segmentId) : undefined
    if (view !== undefined) Object.assign(view, { route, isFinal })
    if (!isFinal) stillOpen.push({ ...open, counted: route })
  }
  state.open = stillOpen
}

const moveOf = (key: string, { source, rowId }: OpenClaim, route: string): RouteMove => ({
  // Only events are counted with the time at which they were received.
  kind: source.received_at > 0 ? 'event' : 'span',
  project_id: source.project_id,
  trace_id: traceIdOf(key),
  id: rowId,
  at: Math.floor(source.timestamp / 1e3),
  route,
})

const moveSamples = ({ source, counted, samples, segmentId }: OpenClaim, route: string): RouteMeasurement[] =>
  samples.flatMap(({ weight, ...sample }) =>
    [
      { source: { ...source, route: counted, weight: -weight }, sample },
      { source: { ...source, route, weight }, sample },
    ].map(each => ({ ...each, segmentId, traceKey: '' })),
  )
