import { isObject, numberOf, textOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import type { MetricRow } from '#store/telemetry/rows.ts'
import { metricColumns, userHashOf } from '../../attributes/facts.ts'
import { emptyFlat, flattenInto, inferClient } from '../../attributes/flatten.ts'
import { limits } from '../../limits.ts'
import { readIdOrNone, readSpanId } from '../../normalize/ids.ts'
import { nameOf } from '../../normalize/user-hash.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnAttributes } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { type Container, readContainer } from '../../read/read-json.ts'
import { discard, itemTimeMs, type RecordContext } from '../../record-context.ts'

export function processTraceMetric(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const container = readContainer(item, context)
  if (container === null) return
  let unusable = 0
  for (const entry of container.entries) {
    const row = metricRow(entry, container, context)
    if (row === null) unusable++
    else addRow(context.out, 'metrics', row)
  }
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}

/** Null without a name or a numeric value. */
function metricRow(entry: unknown, container: Container, context: RecordContext): MetricRow | null {
  if (!isObject(entry)) return null
  const name = textOf(entry.name)
  const value = numberOf(entry.value)
  if (name === '' || value === undefined) return null
  const notes = new Notes()
  scrubOwnAttributes(entry.attributes, context, notes)
  const flat = emptyFlat()
  const options = { isTyped: true, mayHaveShapes: container.mayHaveShapes, columns: metricColumns }
  flattenInto(flat, entry.attributes, options, notes)
  inferClient(flat, container.settings, context)
  const { facts } = flat
  if (name.length > limits.nameChars) notes.add('trimmed', 'name', `${name.length} chars`)
  const row: MetricRow = {
    project_id: context.projectId,
    timestamp: Math.round(itemTimeMs(entry.timestamp, 'timestamp', context, notes) * 1e3),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    name: nameOf(name),
    kind: nameOf(entry.type),
    unit: nameOf(entry.unit),
    value,
    trace_id: readIdOrNone(entry.trace_id),
    span_id: readSpanId(entry.span_id ?? facts.parentSpanId),
    environment: textOf(facts.environment),
    release: textOf(facts.release),
    server_name: textOf(facts.serverName ?? facts.serverAddress ?? facts.hostName),
    user_hash: userHashOf(facts, context.projectId),
    sdk_name: textOf(facts.sdkName) || textOf(context.sdk?.name),
    sdk_version: textOf(facts.sdkVersion) || textOf(context.sdk?.version),
    attributes: flat.attributes,
    numbers: flat.numbers,
  }
  if (!notes.isEmpty) flat.attributes['hydrant.notes'] = notes.toLine()
  return row
}
