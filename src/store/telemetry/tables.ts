/** The columns of each table in the order in which rows are sent, and which column chooses the partition's day. */
import type { Rows, TableName } from './rows.ts'

type Columns<Table extends TableName> = readonly (keyof Rows[Table] & string)[]
type TableShape<Table extends TableName> = { columns: Columns<Table>; day: { column: keyof Rows[Table] & string; ticksPerSecond: number } }

const common = ['project_id', 'received_at', 'retention_days', 'weight'] as const
const inMillis = 1_000
const inMicros = 1_000_000

export const tables: { readonly [Table in TableName]: TableShape<Table> } = {
  events: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: [
      ...common, 'event_id', 'timestamp', 'client_sample_rate', 'group_version', 'group_hash', 'kind', 'level', 'platform', 'type', 'title',
      'culprit', 'is_handled', 'mechanism', 'route_raw', 'route', 'url', 'environment', 'release', 'dist', 'server_name', 'user_hash',
      'user_id', 'user_email', 'user_name', 'user_ip', 'trace_id', 'span_id', 'replay_id', 'sdk_name', 'sdk_version', 'browser_name',
      'browser_version', 'os_name', 'os_version', 'device', 'is_prefetch', 'tags', 'data',
    ],
  },
  spans: {
    day: { column: 'timestamp', ticksPerSecond: inMicros },
    columns: [
      ...common, 'timestamp', 'duration_us', 'client_sample_rate', 'trace_id', 'span_id', 'parent_span_id', 'segment_id', 'is_segment',
      'segment_name', 'segment_source', 'name', 'op', 'origin', 'status', 'platform', 'environment', 'release', 'dist', 'server_name',
      'route_raw', 'route', 'method', 'status_code', 'url', 'is_prefetch', 'is_sdk_transport', 'user_hash', 'user_id', 'replay_id',
      'sdk_name', 'sdk_version', 'browser_name', 'os_name', 'device', 'attributes', 'numbers', 'links', 'data',
    ],
  },
  logs: {
    day: { column: 'timestamp', ticksPerSecond: inMicros },
    columns: [
      ...common, 'timestamp', 'log_id', 'sequence', 'level', 'severity', 'body', 'template', 'trace_id', 'span_id', 'environment',
      'release', 'server_name', 'origin', 'route', 'user_hash', 'user_id', 'replay_id', 'sdk_name', 'sdk_version', 'attributes', 'numbers',
    ],
  },
  metrics: {
    day: { column: 'timestamp', ticksPerSecond: inMicros },
    columns: [
      ...common, 'timestamp', 'name', 'kind', 'unit', 'value', 'trace_id', 'span_id', 'environment', 'release', 'server_name',
      'user_hash', 'sdk_name', 'sdk_version', 'attributes', 'numbers',
    ],
  },
  sessions: {
    day: { column: 'started', ticksPerSecond: inMillis },
    columns: [
      ...common, 'started', 'timestamp', 'session_id', 'is_init', 'status', 'errors', 'duration_ms', 'quantity', 'environment', 'release',
      'user_hash', 'browser_name', 'os_name', 'data',
    ],
  },
  check_ins: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: [...common, 'timestamp', 'check_in_id', 'monitor_slug', 'status', 'duration_ms', 'environment', 'release', 'trace_id', 'data'],
  },
  feedback: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: [
      ...common, 'feedback_id', 'timestamp', 'source', 'message', 'contact_email', 'contact_name', 'url', 'associated_event_id', 'replay_id',
      'trace_id', 'environment', 'release', 'user_hash', 'data',
    ],
  },
  replays: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: [
      ...common, 'replay_id', 'segment_id', 'timestamp', 'started', 'replay_type', 'environment', 'release', 'user_hash', 'urls', 'error_ids',
      'trace_ids', 'recording_bytes', 'recording_blob', 'data',
    ],
  },
  profiles: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: [
      ...common, 'timestamp', 'kind', 'profile_id', 'profiler_id', 'platform', 'environment', 'release', 'trace_id', 'size_bytes', 'blob',
    ],
  },
  attachments: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: [...common, 'event_id', 'timestamp', 'filename', 'content_type', 'attachment_type', 'size_bytes', 'blob'],
  },
  outcomes: {
    day: { column: 'hour', ticksPerSecond: 1 },
    columns: ['project_id', 'hour', 'retention_days', 'category', 'outcome', 'reason', 'quantity'],
  },
}

export const tableNames = Object.keys(tables) as TableName[]
