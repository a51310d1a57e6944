import { isObject, textOf } from '#lib/json-value.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { spanColumns } from '../attributes/facts.ts'
import { emptyFlat, flattenInto } from '../attributes/flatten.ts'
import { inferClient } from '../attributes/infer-client.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import { readId, readSpanId } from '../normalise/ids.ts'
import { Notes } from '../notes.ts'
import type { InferSettings } from '../read/infer-settings.ts'
import type { RecordContext } from '../record-context.ts'
import { platformOfSdk } from './platform-of-sdk.ts'
import { restOf } from './rest-of.ts'
import { spanName } from './span-name.ts'
import { spanRow } from './span-row.ts'
import { spanTimes } from './span-times.ts'

/** Null when it lacks what makes a span: a trace and an id of its own. */
export function streamedSpanRow(
  span: unknown,
  settings: InferSettings,
  mayHaveShapes: boolean,
  context: RecordContext,
): SpanRow | null {
  if (!isObject(span)) return null
  const traceId = readId(span.trace_id)
  const spanId = readSpanId(span.span_id)
  if (traceId === '' || spanId === '0') return null
  const notes = new Notes()
  const flat = emptyFlat()
  flattenInto(flat, span.attributes, { isTyped: true, mayHaveShapes, columns: spanColumns }, notes)
  inferClient(flat, settings, context)
  const { startMs, endMs } = spanTimes(span.start_timestamp, span.end_timestamp, context, notes)
  const row = spanRow(
    {
      startMs,
      endMs,
      traceId,
      spanId,
      parentSpanId: readSpanId(span.parent_span_id),
      isSegment: span.is_segment === true,
      name: spanName(span.name, mayHaveShapes, notes),
      status: span.status === undefined || span.status === 'ok' ? 'ok' : 'error',
      platform: settings.isBrowser ? 'javascript' : platformOfSdk(textOf(flat.facts.sdkName)),
      links: Array.isArray(span.links) ? JSON.stringify(cleanTree(span.links, 'links', mayHaveShapes, notes)) : '',
      data: restOf(span, known, mayHaveShapes, notes),
    },
    flat,
    context,
  )
  if (!notes.isEmpty) flat.attributes['hydrant.notes'] = notes.toLine()
  return row
}

const known = new Set([
  'name',
  'span_id',
  'trace_id',
  'parent_span_id',
  'start_timestamp',
  'end_timestamp',
  'is_segment',
  'status',
  'links',
  'attributes',
])
