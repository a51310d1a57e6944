import { isObject, numberOf, textOf } from '#lib/json-value.ts'
import type { MetricRow } from '#store/telemetry/rows.ts'
import { metricColumns } from '../attributes/facts.ts'
import { emptyFlat, flattenInto } from '../attributes/flatten.ts'
import { inferClient } from '../attributes/infer-client.ts'
import { userHashOf } from '../attributes/user-hash-of.ts'
import { limits } from '../limits.ts'
import { readIdOrNone, readSpanId } from '../normalise/ids.ts'
import { itemTimeMs } from '../normalise/item-time.ts'
import { nameOf } from '../normalise/name-of.ts'
import { Notes } from '../notes.ts'
import type { Container } from '../read/read-container.ts'
import type { RecordContext } from '../record-context.ts'

/** Null without a name or a number: there is nothing to measure then. */
export function metricRow(entry: unknown, container: Container, context: RecordContext): MetricRow | null {
  if (!isObject(entry)) return null
  const name = textOf(entry.name)
  const value = numberOf(entry.value)
  if (name === '' || value === undefined) return null
  const notes = new Notes()
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
