/**
 * Fields that no rule changes: ids, times, and the names of code by which events are found, grouped and ordered. They hold no text that
 * a user writes. Paths are in lower case, without positions in lists.
 */
const roots = new Set([
  'event_id',
  'timestamp',
  'start_timestamp',
  'end_timestamp',
  'type',
  'platform',
  'level',
  'severity_number',
  'release',
  'environment',
  'dist',
  'sdk',
  'debug_meta',
  'trace_id',
  'span_id',
  'parent_span_id',
  'segment_id',
  'is_segment',
  'status',
  'op',
  'origin',
  'profile_id',
  'replay_id',
  'replay_type',
  'replay_start_timestamp',
  'error_ids',
  'trace_ids',
  'sid',
  'init',
  'seq',
  'started',
  'duration',
  'errors',
  'check_in_id',
  'monitor_slug',
  'monitor_config',
  '_hydrant',
])

const paths = new Set([
  ...['trace_id', 'span_id', 'parent_span_id', 'op', 'status', 'origin', 'type'].map(name => `contexts.trace.${name}`),
  'contexts.replay.replay_id',
  ...['associated_event_id', 'replay_id', 'source'].map(name => `contexts.feedback.${name}`),
  'exception.values.type',
  'exception.values.module',
  'exception.values.thread_id',
  'tags.replayid',
  'attrs.release',
  'attrs.environment',
  'transaction_info.source',
  ...['op', 'origin', 'segment.id', 'segment_id', 'release', 'environment', 'dist', 'platform', 'replay_id'].map(
    name => `sentry.${name}`,
  ),
  ...['sample_rate', 'timestamp.sequence', 'trace.parent_span_id', 'segment.name.source', 'source', 'span.source'].map(
    name => `sentry.${name}`,
  ),
])

const prefixes = ['exception.values.mechanism.', 'sentry.sdk.'] as const

/** Of a frame, variables and lines of code may be private; the rest names code. */
const frameFields = /\bstacktrace\.frames\.(?!vars\b|context_line$|pre_context$|post_context$)/

/** Objects that are protected with everything in them. */
const whole = new Set(['sdk', 'debug_meta', 'monitor_config', '_hydrant'])

export function isProtectedField(path: readonly string[]): boolean {
  const [root = ''] = path
  if (path.length === 1 || whole.has(root)) return roots.has(root)
  const joined = path.join('.')
  return paths.has(joined) || prefixes.some(prefix => joined.startsWith(prefix)) || frameFields.test(joined)
}

/** Attributes have their own names: an attribute called `type` belongs to the app. */
export function isProtectedAttribute(path: readonly string[]): boolean {
  if (path[0] !== 'sentry') return false
  const joined = path.join('.')
  return paths.has(joined) || joined.startsWith('sentry.sdk.')
}
