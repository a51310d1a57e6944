import { textOf } from '#lib/json-value.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { spanColumns } from '../attributes/facts.ts'
import { emptyFlat, flattenInto } from '../attributes/flatten.ts'
import { inferClient } from '../attributes/infer-client.ts'
import { Notes } from '../notes.ts'
import type { InferSettings } from '../read/infer-settings.ts'
import type { RecordContext } from '../record-context.ts'
import { buildSpan, identifySpan } from './build-span.ts'
import { platformOfSdk } from './platform-of-sdk.ts'

export function streamedSpanRow(
  value: unknown,
  settings: InferSettings,
  mayHaveShapes: boolean,
  context: RecordContext,
): SpanRow | null {
  const sent = identifySpan(value)
  if (sent === null) return null
  const { span } = sent
  const notes = new Notes()
  const flat = emptyFlat()
  flattenInto(flat, span.attributes, { isTyped: true, mayHaveShapes, columns: spanColumns }, notes)
  inferClient(flat, settings, context)
  const reading = {
    end: span.end_timestamp,
    name: span.name,
    status: span.status === undefined || span.status === 'ok' ? ('ok' as const) : ('error' as const),
    platform: settings.isBrowser ? 'javascript' : platformOfSdk(textOf(flat.facts.sdkName)),
    known,
  }
  return buildSpan(sent, reading, flat, mayHaveShapes, notes, context)
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
