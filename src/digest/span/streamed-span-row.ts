/** One span of a v2 container. */

import { clipText } from '#lib/clip-text.ts'
import { isObject, type JsonObject, textOf } from '#lib/json-value.ts'
import { scrubText } from '#scrub/scrub-text.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { spanColumns } from '../attributes/facts.ts'
import { emptyFlat, flattenInto } from '../attributes/flatten.ts'
import { inferClient } from '../attributes/infer-client.ts'
import { limits } from '../limits.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import { readId, readSpanId } from '../normalise/ids.ts'
import { Notes } from '../notes.ts'
import type { InferSettings } from '../read/infer-settings.ts'
import type { RecordContext } from '../record-context.ts'
import { platformOfSdk } from './platform-of-sdk.ts'
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
      data: restOf(span, mayHaveShapes, notes),
    },
    flat,
    context,
  )
  if (!notes.isEmpty) flat.attributes['hydrant.notes'] = notes.toLine()
  return row
}

export function spanName(value: unknown, mayHaveShapes: boolean, notes: Notes): string {
  const text = textOf(value)
  if (text.length > limits.messageChars) notes.add('trimmed', 'name', `${text.length} chars`)
  const short = clipText(text, limits.messageChars)
  const hidden = scrubText(short, mayHaveShapes)
  if (hidden !== short) notes.add('scrubbed', 'name')
  return hidden
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

/** Fields of tomorrow's SDKs: kept as JSON, '' when there are none. */
function restOf(span: JsonObject, mayHaveShapes: boolean, notes: Notes): string {
  let rest: JsonObject | null = null
  for (const key in span) {
    if (known.has(key)) continue
    rest ??= Object.create(null) as JsonObject
    rest[key] = span[key]
  }
  return rest === null ? '' : JSON.stringify(cleanTree(rest, '', mayHaveShapes, notes))
}
