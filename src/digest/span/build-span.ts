/** What a streamed span and an older one have in common: who they are, and the way to their row. */
import { isObject, type JsonObject } from '#lib/json-value.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import type { Flat } from '../attributes/flatten.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import { readId, readSpanId } from '../normalise/ids.ts'
import type { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import { restOf } from './rest-of.ts'
import { spanName } from './span-name.ts'
import { type SpanFields, spanRow } from './span-row.ts'
import { spanTimes } from './span-times.ts'

export type SentSpan = { span: JsonObject; traceId: string; spanId: string }

/** Null when it lacks what makes a span: a trace and an id of its own. */
export function identifySpan(span: unknown): SentSpan | null {
  if (!isObject(span)) return null
  const traceId = readId(span.trace_id)
  const spanId = readSpanId(span.span_id)
  return traceId === '' || spanId === '0' ? null : { span, traceId, spanId }
}

/** Where the two ways of writing a span differ. */
export type SpanReading = Pick<SpanFields, 'status' | 'platform'> & {
  end: unknown
  name: unknown
  /** Members that have a place of their own; the rest is kept as it is. */
  known: ReadonlySet<string>
}

export function buildSpan(
  { span, traceId, spanId }: SentSpan,
  { status, platform, end, name, known }: SpanReading,
  flat: Flat,
  mayHaveShapes: boolean,
  notes: Notes,
  context: RecordContext,
): SpanRow {
  const { startMs, endMs } = spanTimes(span.start_timestamp, end, context, notes)
  const row = spanRow(
    {
      startMs,
      endMs,
      traceId,
      spanId,
      parentSpanId: readSpanId(span.parent_span_id),
      isSegment: span.is_segment === true,
      name: spanName(name, mayHaveShapes, notes),
      status,
      platform,
      links: Array.isArray(span.links) ? JSON.stringify(cleanTree(span.links, 'links', mayHaveShapes, notes)) : '',
      data: restOf(span, known, mayHaveShapes, notes),
    },
    flat,
    context,
  )
  if (!notes.isEmpty) flat.attributes['hydrant.notes'] = notes.toLine()
  return row
}
