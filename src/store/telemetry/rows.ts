/**
 * The rows of the telemetry tables, in the order of their columns (migrations/0001-telemetry.sql).
 * Times are integers: milliseconds, or microseconds where the name ends in Us. Ids of 128 bits are 32 lowercase hex digits
 * (noId where there is none); span ids are decimal strings of an unsigned 64-bit number, because a JS number cannot hold them.
 */
export const noId = '00000000000000000000000000000000'

export type Attributes = Record<string, string>
export type Numbers = Record<string, number>

/** What every table but outcomes has. batch_id is added by the writer. */
type Common = { project_id: number; received_at: number; retention_days: number; weight: number }

export type EventRow = Common & {
  event_id: string
  timestamp: number
  client_sample_rate: number
  group_version: number
  group_hash: string
  kind: string
  level: string
  platform: string
  type: string
  title: string
  culprit: string
  is_handled: boolean
  mechanism: string
  route_raw: string
  route: string
  url: string
  environment: string
  release: string
  dist: string
  server_name: string
  user_hash: string
  /** The user that the server inferred for the same failure, '0' where it inferred none: whoever counts users leaves it out. */
  replaced_user_hash: string
  user_id: string
  user_email: string
  user_name: string
  user_ip: string
  trace_id: string
  span_id: string
  replay_id: string
  sdk_name: string
  sdk_version: string
  browser_name: string
  browser_version: string
  os_name: string
  os_version: string
  device: string
  is_prefetch: boolean
  tags: Attributes
  data: string
}

/** What lists and issue pages read of many events (index-event.ts). */
export type EventIndexRow = Common &
  Pick<
    EventRow,
    | 'group_hash'
    | 'timestamp'
    | 'event_id'
    | 'user_hash'
    | 'replaced_user_hash'
    | 'level'
    | 'type'
    | 'mechanism'
    | 'platform'
    | 'route'
    | 'environment'
    | 'release'
    | 'dist'
    | 'server_name'
    | 'sdk_name'
    | 'sdk_version'
    | 'browser_name'
    | 'browser_version'
    | 'os_name'
    | 'os_version'
    | 'device'
    | 'tags'
  > & { merit: number }

/** Transactions and v2 spans alike: a reader cannot tell which the SDK sent. timestamp is in microseconds here. */
export type SpanRow = Common & {
  timestamp: number
  duration_us: number
  client_sample_rate: number
  trace_id: string
  span_id: string
  parent_span_id: string
  segment_id: string
  is_segment: boolean
  segment_name: string
  segment_source: string
  name: string
  op: string
  origin: string
  status: string
  platform: string
  environment: string
  release: string
  dist: string
  server_name: string
  route_raw: string
  route: string
  method: string
  status_code: number
  url: string
  is_prefetch: boolean
  is_sdk_transport: boolean
  user_hash: string
  user_id: string
  replay_id: string
  sdk_name: string
  sdk_version: string
  browser_name: string
  os_name: string
  device: string
  attributes: Attributes
  numbers: Numbers
  links: string
  data: string
}

/** timestamp in microseconds. */
export type LogRow = Common & {
  timestamp: number
  log_id: string
  sequence: number
  level: string
  severity: number
  body: string
  template: string
  trace_id: string
  span_id: string
  environment: string
  release: string
  server_name: string
  origin: string
  route: string
  user_hash: string
  user_id: string
  replay_id: string
  sdk_name: string
  sdk_version: string
  attributes: Attributes
  numbers: Numbers
}

/** timestamp in microseconds. */
export type MetricRow = Common & {
  timestamp: number
  name: string
  kind: string
  unit: string
  value: number
  trace_id: string
  span_id: string
  environment: string
  release: string
  server_name: string
  user_hash: string
  sdk_name: string
  sdk_version: string
  attributes: Attributes
  numbers: Numbers
}

export type SessionRow = Common & {
  started: number
  timestamp: number
  session_id: string
  is_init: boolean
  status: string
  errors: number
  duration_ms: number
  quantity: number
  environment: string
  release: string
  user_hash: string
  browser_name: string
  os_name: string
  data: string
}

type CheckInRow = Common & {
  timestamp: number
  check_in_id: string
  monitor_slug: string
  status: string
  duration_ms: number
  environment: string
  release: string
  trace_id: string
  data: string
}

export type FeedbackRow = Common & {
  feedback_id: string
  timestamp: number
  source: string
  message: string
  contact_email: string
  contact_name: string
  url: string
  associated_event_id: string
  replay_id: string
  trace_id: string
  environment: string
  release: string
  user_hash: string
  data: string
}

export type ReplayRow = Common & {
  replay_id: string
  segment_id: number
  timestamp: number
  started: number
  replay_type: string
  environment: string
  release: string
  user_hash: string
  urls: string[]
  error_ids: string[]
  trace_ids: string[]
  recording_bytes: number
  recording_blob: string
  data: string
}

export type ProfileRow = Common & {
  timestamp: number
  kind: string
  profile_id: string
  profiler_id: string
  platform: string
  environment: string
  release: string
  trace_id: string
  size_bytes: number
  blob: string
}

type AttachmentRow = Common & {
  event_id: string
  timestamp: number
  filename: string
  content_type: string
  attachment_type: string
  size_bytes: number
  blob: string
}

/** hour in whole seconds. */
export type OutcomeRow = {
  project_id: number
  hour: number
  retention_days: number
  category: string
  outcome: string
  reason: string
  quantity: number
}

/** bucket in whole seconds: where five minutes begin. */
export type RouteRollupRow = {
  project_id: number
  bucket: number
  retention_days: number
  route: string
  measure: string
  detail: string
  release: string
  environment: string
  device: string
  count: number
  failed: number
  total: number
  bins: number[]
  bin_counts: number[]
}

export type Rows = {
  events: EventRow
  event_index: EventIndexRow
  spans: SpanRow
  logs: LogRow
  metrics: MetricRow
  sessions: SessionRow
  check_ins: CheckInRow
  feedback: FeedbackRow
  replays: ReplayRow
  profiles: ProfileRow
  attachments: AttachmentRow
  outcomes: OutcomeRow
  route_sums: RouteRollupRow
}
export type TableName = keyof Rows
