/** One span as SDKs wrote it before streaming: a child of a transaction, or alone in an item. */

import { isObject, type JsonObject, textOf } from '#lib/json-value.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { type FactName, noColumns } from '../attributes/facts.ts'
import { emptyFlat, type Flat, flattenInto } from '../attributes/flatten.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import { readId, readSpanId } from '../normalise/ids.ts'
import { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import { putMeasurements } from './put-measurements.ts'
import { readStatus } from './read-status.ts'
import { restOf } from './rest-of.ts'
import { spanName } from './span-name.ts'
import { spanRow } from './span-row.ts'
import { spanTimes } from './span-times.ts'

/** What a child takes from its transaction, because it does not say so itself. */
export type Parent = { platform: string; inherited: Partial<Record<FactName, unknown>> }

export function legacySpanRow(
  span: unknown,
  parent: Parent,
  mayHaveShapes: boolean,
  context: RecordContext,
): SpanRow | null {
  if (!isObject(span)) return null
  const traceId = readId(span.trace_id)
  const spanId = readSpanId(span.span_id)
  if (traceId === '' || spanId === '0') return null
  const notes = new Notes()
  const flat = emptyFlat()
  flattenInto(flat, span.data, { isTyped: false, mayHaveShapes, columns: noColumns }, notes)
  fillFacts(flat, span, parent)
  putMeasurements(flat, span.measurements)
  const { startMs, endMs } = spanTimes(span.start_timestamp, span.timestamp, context, notes)
  const row = spanRow(
    {
      startMs,
      endMs,
      traceId,
      spanId,
      parentSpanId: readSpanId(span.parent_span_id),
      isSegment: span.is_segment === true,
      name: spanName(span.description ?? span.op, mayHaveShapes, notes),
      status: readStatus(span.status, flat),
      platform: textOf(span.platform) || parent.platform,
      links: Array.isArray(span.links) ? JSON.stringify(cleanTree(span.links, 'links', mayHaveShapes, notes)) : '',
      data: restOf(span, known, mayHaveShapes, notes),
    },
    flat,
    context,
  )
  if (!notes.isEmpty) flat.attributes['hydrant.notes'] = notes.toLine()
  return row
}

function fillFacts({ facts }: Flat, span: JsonObject, { inherited }: Parent): void {
  facts.op ??= span.op
  facts.origin ??= span.origin
  facts.segmentId ??= span.segment_id
  for (const name in inherited) facts[name as FactName] ??= inherited[name as FactName]
}

const known = new Set([
  'span_id',
  'trace_id',
  'parent_span_id',
  'segment_id',
  'start_timestamp',
  'timestamp',
  'is_segment',
  'status',
  'op',
  'origin',
  'description',
  'data',
  'measurements',
  'links',
  'platform',
])
