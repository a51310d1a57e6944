import type { TraceSpan } from '#queries/trace/list-trace-spans.ts'

/** One span with everything it carries, each value with its type. */
export function describeSpan(span: TraceSpan) {
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
