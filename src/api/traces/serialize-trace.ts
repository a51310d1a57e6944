import type { Viewer } from '#domain/access/viewer.ts'
import type { Cell } from '#domain/explore/explore.ts'
import type { SpanTree, TraceSpan } from '#domain/traces/list-trace-spans.ts'

type ErrorRow = Record<string, Cell>
type SerializedSpan = ReturnType<typeof serializeFields> & { children: SerializedSpan[] }

/** The span trees of a trace. Errors are in their span, or beside the trees if their span was not received. */
export function serializeTrace(
  viewer: Viewer,
  trees: readonly SpanTree[],
  errors: readonly ErrorRow[],
  extra: string[],
) {
  const slugs = new Map(viewer.projects.map(({ id, slug }) => [id, slug]))
  const bySpan = Map.groupBy(errors, error => String(error.span_id ?? ''))
  const serializeTree = ({ span, children }: SpanTree): SerializedSpan => {
    const own = bySpan.get(span.span_id) ?? []
    bySpan.delete(span.span_id)
    return {
      ...serializeFields(span, slugs.get(span.project_id) ?? '', own.map(serializeError), extra),
      children: children.map(serializeTree),
    }
  }
  return [...trees.map(serializeTree), ...[...bySpan.values()].flat().map(serializeError)]
}

function serializeFields(span: TraceSpan, projectSlug: string, errors: object[], extra: string[]) {
  const startSeconds = span.start_us / 1e6
  return {
    event_id: span.span_id,
    span_id: span.span_id,
    transaction_id: span.segment_id || span.span_id,
    project_id: span.project_id,
    project_slug: projectSlug,
    profile_id: '',
    profiler_id: '',
    parent_span_id: span.parent_span_id || null,
    start_timestamp: startSeconds,
    end_timestamp: startSeconds + span.duration_us / 1e6,
    duration: span.duration_us / 1e3,
    transaction: span.segment_name,
    is_transaction: span.is_segment,
    description: span.name,
    name: span.name,
    op: span.op,
    status: span.status,
    sdk_name: span.sdk_name,
    event_type: 'span',
    measurements: {},
    additional_attributes: Object.fromEntries(
      extra.flatMap(key => {
        const value = span.numbers[key] ?? span.attributes[key]
        return value === undefined ? [] : [[key, value]]
      }),
    ),
    errors,
    occurrences: [],
  }
}

function serializeError(error: ErrorRow) {
  const title = String(error.title ?? '')
  return {
    event_id: error.id,
    id: error.id,
    issue_id: error['issue.id'],
    issue: error.issue,
    project_id: error['project.id'],
    project_slug: error.project,
    title,
    message: title,
    description: title,
    culprit: error.culprit,
    transaction: error.transaction,
    level: error.level,
    span: error.span_id,
    timestamp: error.timestamp,
    start_timestamp: Date.parse(String(error.timestamp)) / 1e3,
    event_type: 'error',
    type: 'error',
  }
}

/** One span with all attributes and their types. */
export function serializeSpan(span: TraceSpan) {
  const text = (name: string, value: string) => (value === '' ? [] : [{ name, type: 'str', value }])
  return {
    itemId: span.span_id,
    timestamp: new Date(span.start_us / 1e3).toISOString(),
    meta: {},
    links: null,
    attributes: [
      ...text('span.op', span.op),
      ...text('span.description', span.name),
      ...text('span.status', span.status),
      ...text('transaction', span.segment_name),
      ...text('parent_span', span.parent_span_id),
      ...text('environment', span.environment),
      ...text('release', span.release),
      ...text('sdk.name', span.sdk_name),
      { name: 'span.duration', type: 'float', value: span.duration_us / 1e3 },
      { name: 'is_transaction', type: 'bool', value: span.is_segment },
      ...Object.entries(span.attributes).map(([name, value]) => ({ name, type: 'str', value })),
      ...Object.entries(span.numbers).map(([name, value]) => ({
        name,
        type: Number.isInteger(value) ? 'int' : 'float',
        value,
      })),
    ],
  }
}
