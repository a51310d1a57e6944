import { binOf } from '#lib/log-histogram.ts'
import { type RouteMeasurement, routeFetches } from './route-fetches.ts'
import {
  extrapolatedWeight,
  type RouteSample,
  type RouteSource,
  type RouteSpan,
  ratedBounds,
  routeSamples,
} from './route-sample.ts'
import { type DeviceClass, deviceClass } from './side.ts'

/** The fields of an error that routes need. `kind` is '' for one that routes don't count by itself. */
type RouteError = {
  project_id: number
  /** Milliseconds. */
  timestamp: number
  retention_days: number
  weight: number
  is_handled: boolean
  route: string
  environment: string
  release: string
  os_name: string
  device: string
  group_hash: string
  /** Milliseconds. */
  received_at: number
  kind: '' | 'hydration' | 'skew' | 'route_load'
}

/** A row of `route_sums`: one measure of a route in five minutes. Rows with the same key are added up. */
export type RouteRollup = {
  project_id: number
  /** Start of the five minutes, in seconds. */
  bucket: number
  retention_days: number
  route: string
  measure: string
  detail: string
  release: string
  environment: string
  device: DeviceClass
  /** Sum of weights, like all counts. */
  count: number
  failed: number
  total: number
  bins: number[]
  bin_counts: number[]
  /** Of errors only; else '' and 0. */
  group_hash: string
  received_at: number
}

const stepSeconds = 300
/** Measures that say how many of their spans are stored. */
const sampledMeasures: ReadonlySet<string> = new Set(['page_load', 'navigation', 'request'])

/** `fetches` comes from `routeFetches` with the state of earlier batches; by default from these spans alone. */
export function rollUpRoutes(
  spans: readonly RouteSpan[],
  errors: readonly RouteError[],
  fetches: readonly RouteMeasurement[] = routeFetches(spans).measurements,
): RouteRollup[] {
  const sums = new Map<string, RouteRollup>()
  for (const span of spans) {
    const weight = extrapolatedWeight(span)
    for (const sample of routeSamples(span)) {
      add(sums, { ...span, weight }, span.timestamp / 1e6, sample)
      // What to add to the count for the number of stored spans.
      if (weight !== span.weight && sampledMeasures.has(sample.measure)) {
        const sampling = { measure: 'sampling', detail: sample.measure, value: null, isFailed: false }
        add(sums, { ...span, weight: span.weight - weight }, span.timestamp / 1e6, sampling)
      }
    }
  }
  for (const { source, sample } of fetches) add(sums, source, source.timestamp / 1e6, sample)
  for (const error of errors)
    if (error.route !== '')
      add(sums, error, error.timestamp / 1e3, {
        measure: 'error',
        detail: error.kind,
        value: null,
        isFailed: !error.is_handled,
      })
  return [...sums.values()]
}

type Grouped = { group_hash?: string; received_at?: number }

function add(
  sums: Map<string, RouteRollup>,
  source: Omit<RouteSource, 'timestamp'> & Grouped,
  atSeconds: number,
  sample: RouteSample,
): void {
  const { project_id, retention_days, route, release, environment, weight } = source
  const isError = sample.measure === 'error'
  const group_hash = isError ? (source.group_hash ?? '') : ''
  const received_at = isError ? (source.received_at ?? 0) : 0
  const { measure, detail, value, isFailed } = sample
  const bucket = Math.floor(atSeconds / stepSeconds) * stepSeconds
  const device = deviceClass(source)
  const key = JSON.stringify([
    project_id,
    bucket,
    retention_days,
    route,
    measure,
    detail,
    release,
    environment,
    device,
    group_hash,
  ])
  let row = sums.get(key)
  if (row === undefined) {
    row = {
      project_id,
      bucket,
      retention_days,
      route,
      measure,
      detail,
      release,
      environment,
      device,
      count: 0,
      failed: 0,
      total: 0,
      bins: [],
      bin_counts: [],
      group_hash,
      received_at,
    }
    sums.set(key, row)
  }
  row.received_at = Math.max(row.received_at, received_at)
  row.count += weight
  if (isFailed) row.failed += weight
  if (value === null) return
  row.total += value * weight
  const bin = binOf(value, ratedBounds[measure])
  const index = row.bins.indexOf(bin)
  if (index === -1) {
    row.bins.push(bin)
    row.bin_counts.push(weight)
  } else row.bin_counts[index] = (row.bin_counts[index] ?? 0) + weight
}
