import { routeOf } from '#lens/route.ts'
import { countOf, isObject, textOf } from '#lib/json-value.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { logColumns } from '../attributes/facts.ts'
import { emptyFlat, flattenInto } from '../attributes/flatten.ts'
import { inferClient } from '../attributes/infer-client.ts'
import { userHashOf } from '../attributes/user-hash-of.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import { readIdOrNone, readSpanId } from '../normalise/ids.ts'
import { itemTimeMs } from '../normalise/item-time.ts'
import { Notes } from '../notes.ts'
import type { Container } from '../read/read-container.ts'
import type { RecordContext } from '../record-context.ts'
import { readSeverity } from './read-severity.ts'

/** Null when it is no object or says nothing at all. */
export function logRow(entry: unknown, logId: string, container: Container, context: RecordContext): LogRow | null {
  if (!isObject(entry) || (entry.body === undefined && entry.attributes === undefined)) return null
  const notes = new Notes()
  const flat = emptyFlat()
  const { mayHaveShapes } = container
  flattenInto(flat, entry.attributes, { isTyped: true, mayHaveShapes, columns: logColumns }, notes)
  inferClient(flat, container.settings, context)
  const { facts } = flat
  const route = textOf(facts.httpRoute ?? facts.nextRoute ?? facts.urlTemplate ?? facts.segmentName)
  const row: LogRow = {
    project_id: context.projectId,
    timestamp: Math.round(itemTimeMs(entry.timestamp, 'timestamp', context, notes) * 1e3),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    log_id: logId,
    sequence: countOf(facts.sequence, 4_294_967_295),
    ...readSeverity(entry.level, entry.severity_number),
    body: bodyText(entry.body, mayHaveShapes, notes),
    template: textOf(facts.template),
    trace_id: readIdOrNone(entry.trace_id),
    span_id: readSpanId(entry.span_id ?? facts.parentSpanId),
    environment: textOf(facts.environment),
    release: textOf(facts.release),
    server_name: textOf(facts.serverName ?? facts.serverAddress ?? facts.hostName),
    origin: textOf(facts.origin),
    route: routeOf(route),
    user_hash: userHashOf(facts, context.projectId),
    user_id: textOf(facts.userId),
    replay_id: readIdOrNone(facts.replayId),
    sdk_name: textOf(facts.sdkName) || textOf(context.sdk?.name),
    sdk_version: textOf(facts.sdkVersion) || textOf(context.sdk?.version),
    attributes: flat.attributes,
    numbers: flat.numbers,
  }
  if (!notes.isEmpty) flat.attributes['hydrant.notes'] = notes.toLine()
  return row
}

function bodyText(body: unknown, mayHaveShapes: boolean, notes: Notes): string {
  const clean = cleanTree(body, 'body', mayHaveShapes, notes)
  return typeof clean === 'object' && clean !== null ? JSON.stringify(clean) : textOf(clean)
}
