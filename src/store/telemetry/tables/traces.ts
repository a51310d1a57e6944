import type { WrittenTable } from './define-table.ts'
import {
  batchIndex,
  document,
  flag,
  float64,
  float64List,
  hash,
  id64,
  micros,
  millis,
  numbers,
  rate,
  received,
  seconds,
  text,
  texts,
  uint16,
  uint16List,
  uint32,
  uint64,
  uuid,
  word,
} from './define-table.ts'

export const spans = {
  day: { column: 'timestamp' },
  columns: {
    project_id: uint64,
    timestamp: micros,
    duration_us: { ...uint64, codec: 'ZSTD(1)' },
    ...received,
    client_sample_rate: rate,
    batch_id: text,
    trace_id: uuid,
    span_id: id64,
    parent_span_id: id64,
    segment_id: id64,
    is_segment: flag,
    segment_name: word,
    segment_source: word,
    name: text,
    op: word,
    origin: word,
    status: word,
    platform: word,
    environment: word,
    release: word,
    dist: word,
    server_name: word,
    route_raw: text,
    route: word,
    method: word,
    status_code: uint16,
    url: text,
    is_prefetch: flag,
    is_sdk_transport: flag,
    user_hash: id64,
    user_id: text,
    replay_id: uuid,
    sdk_name: word,
    sdk_version: word,
    browser_name: word,
    os_name: word,
    device: word,
    attributes: texts,
    numbers,
    links: text,
    data: document,
    profiler_id: uuid,
  },
  orderBy: ['project_id', 'toStartOfHour(timestamp)', 'trace_id', 'timestamp'],
  bloomFilters: { trace_id_bloom: 'trace_id', ...batchIndex },
} as const satisfies WrittenTable

/** The profile itself is a blob. */
export const profiles = {
  day: { column: 'timestamp' },
  columns: {
    project_id: uint64,
    timestamp: millis,
    ...received,
    batch_id: text,
    kind: word,
    profile_id: uuid,
    profiler_id: uuid,
    platform: word,
    environment: word,
    release: word,
    trace_id: uuid,
    size_bytes: uint64,
    blob: text,
  },
  orderBy: ['project_id', 'timestamp'],
  bloomFilters: batchIndex,
} as const satisfies WrittenTable

/**
 * Where the time of a route went, by profiles: `digest/profiles` adds up the samples of each chunk within the spans of a route. The row of
 * a route without a function holds all of its time and how many spans were profiled. `trace_id` and `span_id` name the span that has the
 * most of the function, with `example_ms` of it; `debug_id` stays while no source map has named the function.
 */
export const profile_sums = {
  day: { column: 'bucket', isWeekly: true },
  columns: {
    project_id: uint64,
    bucket: { ...seconds, codec: 'Delta, ZSTD(1)' },
    received_at: received.received_at,
    retention_days: uint16,
    batch_id: text,
    route: word,
    platform: word,
    release: word,
    environment: word,
    function_name: text,
    file: text,
    line: uint32,
    position: uint32,
    debug_id: word,
    self_ms: { ...float64, codec: 'ZSTD(1)' },
    total_ms: { ...float64, codec: 'ZSTD(1)' },
    samples: { ...float64, codec: 'ZSTD(1)' },
    spans: { ...float64, codec: 'ZSTD(1)' },
    trace_id: uuid,
    span_id: id64,
    example_ms: { ...float64, codec: 'ZSTD(1)' },
  },
  orderBy: ['project_id', 'route', 'bucket'],
  bloomFilters: batchIndex,
  settings: { min_age_to_force_merge_seconds: 14_400 },
} as const satisfies WrittenTable

const sums = 'sum(count), sum(failed), sum(total), sumMap(bins, bin_counts)'
const byDay = 'project_id, toStartOfDay(bucket), route, measure, detail'
const byDayAndRelease = `${byDay}, release, environment, device`

/**
 * What happened on each route in steps of five minutes: `react/route-rollup.ts` computes the rows of a batch. The projections hold
 * their sums by day in the same part, so a month is read from a few thousand rows; a table of all routes needs neither releases
 * nor devices, and without them a month is a seventh of that. `bins` and `bin_counts` are a histogram (`lib/log-histogram.ts`).
 */
export const route_sums = {
  day: { column: 'bucket', isWeekly: true },
  columns: {
    project_id: uint64,
    bucket: { ...seconds, codec: 'Delta, ZSTD(1)' },
    retention_days: uint16,
    batch_id: text,
    route: word,
    measure: word,
    detail: word,
    release: word,
    environment: word,
    device: word,
    count: { ...float64, codec: 'ZSTD(1)' },
    failed: { ...float64, codec: 'ZSTD(1)' },
    total: { ...float64, codec: 'ZSTD(1)' },
    bins: uint16List,
    bin_counts: float64List,
    /** Of errors, so that those of a deleted issue can be left out and purged. */
    group_hash: hash,
    /** When the newest of these errors was received. */
    received_at: received.received_at,
  },
  orderBy: ['project_id', 'bucket', 'route', 'measure'],
  bloomFilters: batchIndex,
  projections: {
    by_day: `SELECT ${byDayAndRelease}, ${sums} GROUP BY ${byDayAndRelease}`,
    by_day_alone: `SELECT ${byDay}, ${sums} GROUP BY ${byDay}`,
  },
  settings: { min_age_to_force_merge_seconds: 14_400 },
} as const satisfies WrittenTable
