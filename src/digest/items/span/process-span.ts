import { objectOf, textOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { spanColumns } from '../../attributes/facts.ts'
import { emptyFlat, flattenInto, inferClient } from '../../attributes/flatten.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnEntry } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { type Container, readContainer } from '../../read/read-json.ts'
import { discard, type RecordContext } from '../../record-context.ts'
import { buildSpan, identifySpan } from './build-span.ts'
import { legacySpanRow, type Parent } from './legacy-span-row.ts'
import { readStatus } from './span-row.ts'

/** A v2 container of streamed spans, or a single span of an older browser SDK. */
export function processSpan(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const container = readContainer(item, context)
  if (container === null) return
  let unusable = 0
  for (const span of container.entries) {
    const row = container.isSingle
      ? legacySpanRow(span, standaloneParent(span, context), container.mayHaveShapes, context)
      : streamedSpanRow(span, container, context)
    if (row === null) unusable++
    else addRow(context.out, 'spans', row)
  }
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}

/** Older browser SDKs sent interactions as single spans, with the attributes of the page in `data` under short names. */
function standaloneParent(span: unknown, { sdk, trace }: RecordContext): Parent {
  const data = objectOf(objectOf(span)?.data)
  return {
    platform: 'javascript',
    inherited: {
      release: data?.release ?? trace?.release,
      environment: data?.environment ?? trace?.environment,
      segmentName: data?.transaction ?? trace?.transaction,
      replayId: data?.replay_id ?? trace?.replay_id,
      sdkName: sdk?.name,
      sdkVersion: sdk?.version,
    },
  }
}

function streamedSpanRow(
  value: unknown,
  { settings, mayHaveShapes }: Container,
  context: RecordContext,
): SpanRow | null {
  const sent = identifySpan(value)
  if (sent === null) return null
  const { span } = sent
  const notes = new Notes()
  scrubOwnEntry(span, { attributes: 'attributes', isTyped: true }, context, notes)
  const flat = emptyFlat()
  flattenInto(flat, span.attributes, { isTyped: true, mayHaveShapes, columns: spanColumns }, notes)
  inferClient(flat, settings, context)
  const reading = {
    end: span.end_timestamp,
    name: span.name,
    status: readStatus(span.status, flat),
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

/** Streamed spans have no platform, so it follows from the SDK's name. Browsers are recognized by their container before. */
function platformOfSdk(sdkName: string): string {
  if (sdkName === '') return ''
  if (sdkName.startsWith('sentry.javascript.')) {
    return sdkName === 'sentry.javascript.browser' || sdkName === 'sentry.javascript.react' ? 'javascript' : 'node'
  }
  return sdkName.startsWith('sentry.') ? (sdkName.split('.')[1] ?? '') : ''
}
