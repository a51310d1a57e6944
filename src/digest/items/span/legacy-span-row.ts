/** A span in the format before streaming: a child of a transaction, or a single span in an item. */
import { type JsonObject, textOf } from '#lib/json-value.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { type FactName, noColumns } from '../../attributes/facts.ts'
import { emptyFlat, type Flat, flattenInto } from '../../attributes/flatten.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnEntry } from '../../own-rules/scrub-item.ts'
import type { RecordContext } from '../../record-context.ts'
import { buildSpan, identifySpan, putMeasurements } from './build-span.ts'
import { readStatus } from './span-row.ts'

/** What a child span inherits from its transaction. */
export type Parent = { platform: string; inherited: Partial<Record<FactName, unknown>> }

export function legacySpanRow(
  value: unknown,
  parent: Parent,
  mayHaveShapes: boolean,
  context: RecordContext,
): SpanRow | null {
  const sent = identifySpan(value)
  if (sent === null) return null
  const { span } = sent
  const notes = new Notes()
  scrubOwnEntry(span, { attributes: 'data', isTyped: false }, context, notes)
  const flat = emptyFlat()
  flattenInto(flat, span.data, { isTyped: false, mayHaveShapes, columns: noColumns }, notes)
  fillFacts(flat, span, parent)
  putMeasurements(flat, span.measurements)
  const reading = {
    end: span.timestamp,
    name: span.description ?? span.op,
    status: readStatus(span.status, flat),
    platform: textOf(span.platform) || parent.platform,
    known,
  }
  return buildSpan(sent, reading, flat, mayHaveShapes, notes, context)
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
