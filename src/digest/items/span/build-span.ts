/** What streamed spans and older spans have in common: their ids and the row. */
import { isObject, type JsonObject, numberOf, setOwn, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { scrubText } from '#scrubbing/scrub-text.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import type { Flat } from '../../attributes/flatten.ts'
import { limits } from '../../limits.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { readId, readSpanId } from '../../normalize/ids.ts'
import type { Notes } from '../../notes.ts'
import type { RecordContext } from '../../record-context.ts'
import { type SpanFields, spanRow, spanTimes } from './span-row.ts'

type SentSpan = { span: JsonObject; traceId: string; spanId: string }

/** Null without a trace id and a span id. */
export function identifySpan(span: unknown): SentSpan | null {
  if (!isObject(span)) return null
  const traceId = readId(span.trace_id)
  const spanId = readSpanId(span.span_id)
  return traceId === '' || spanId === '0' ? null : { span, traceId, spanId }
}

/** The fields that differ between the two formats. */
type SpanReading = Pick<SpanFields, 'status' | 'platform'> & {
  end: unknown
  name: unknown
  /** Fields that have a column; the others are stored as JSON. */
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

/** Unknown fields as JSON, for future SDKs; '' when there are none. */
function restOf(span: JsonObject, known: ReadonlySet<string>, mayHaveShapes: boolean, notes: Notes): string {
  let rest: JsonObject | null = null
  for (const key in span) {
    if (known.has(key)) continue
    rest ??= Object.create(null) as JsonObject
    rest[key] = span[key]
  }
  return rest === null ? '' : JSON.stringify(cleanTree(rest, '', mayHaveShapes, notes))
}

function spanName(value: unknown, mayHaveShapes: boolean, notes: Notes): string {
  const text = textOf(value)
  if (text.length > limits.messageChars) notes.add('trimmed', 'name', `${text.length} chars`)
  const short = clipText(text, limits.messageChars)
  const clean = scrubText(short, mayHaveShapes)
  if (clean !== short) notes.add('scrubbed', 'name')
  return clean
}

/** Web vitals get the names of streamed spans, so that one query finds both. */
const vitals = new Map([
  ['fp', 'browser.web_vital.fp.value'],
  ['fcp', 'browser.web_vital.fcp.value'],
  ['lcp', 'browser.web_vital.lcp.value'],
  ['cls', 'browser.web_vital.cls.value'],
  ['inp', 'browser.web_vital.inp.value'],
  ['ttfb', 'browser.web_vital.ttfb.value'],
  ['ttfb.requestTime', 'browser.web_vital.ttfb.request_time'],
])

export function putMeasurements({ numbers, attributes }: Flat, measurements: unknown): void {
  if (!isObject(measurements)) return
  for (const key in measurements) {
    const entry = measurements[key]
    const value = numberOf(isObject(entry) ? entry.value : entry)
    if (value === undefined) continue
    const name = vitals.get(key) ?? `measurements.${key}`
    setOwn(numbers, name, value)
    if (isObject(entry) && typeof entry.unit === 'string' && !vitals.has(key)) {
      setOwn(attributes, `${name}.unit`, entry.unit)
    }
  }
}
