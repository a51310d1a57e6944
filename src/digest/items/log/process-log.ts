import { patternId } from '#domain/logs/line-pattern.ts'
import { countOf, isObject, numberOf, textOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { routeSyntaxOf } from '#react/frameworks/find-frameworks.ts'
import { routeOf } from '#react/route.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { logColumns, userHashOf } from '../../attributes/facts.ts'
import { emptyFlat, flattenInto, inferClient } from '../../attributes/flatten.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { derivedId, readIdOrNone, readSpanId } from '../../normalize/ids.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnEntry } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { type Container, readContainer } from '../../read/read-json.ts'
import { discard, itemTimeMs, type RecordContext } from '../../record-context.ts'

export function processLog(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const container = readContainer(item, context)
  if (container === null) return
  let unusable = 0
  container.entries.forEach((entry, ordinal) => {
    const row = logRow(entry, derivedId(context.recordId, itemIndex, ordinal), container, context)
    if (row === null) unusable++
    else addRow(context.out, 'logs', row)
  })
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}

/** Null when the entry is not an object or is empty. */
function logRow(entry: unknown, logId: string, container: Container, context: RecordContext): LogRow | null {
  if (!isObject(entry) || (entry.body === undefined && entry.attributes === undefined)) return null
  const notes = new Notes()
  scrubOwnEntry(entry, { attributes: 'attributes', isTyped: true }, context, notes)
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
    route: routeOf(route, routeSyntaxOf(textOf(facts.sdkName) || textOf(context.sdk?.name))),
    user_hash: userHashOf(facts, context.projectId),
    user_id: textOf(facts.userId),
    replay_id: readIdOrNone(facts.replayId),
    sdk_name: textOf(facts.sdkName) || textOf(context.sdk?.name),
    sdk_version: textOf(facts.sdkVersion) || textOf(context.sdk?.version),
    attributes: flat.attributes,
    numbers: flat.numbers,
    pattern: '0',
  }
  row.pattern = readSpanId(patternId(row))
  if (!notes.isEmpty) flat.attributes['hydrant.notes'] = notes.toLine()
  return row
}

function bodyText(body: unknown, mayHaveShapes: boolean, notes: Notes): string {
  const clean = cleanTree(body, 'body', mayHaveShapes, notes)
  return typeof clean === 'object' && clean !== null ? JSON.stringify(clean) : textOf(clean)
}

/** OpenTelemetry has four severity numbers for each level; the first is the plain one. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const aliases = new Map([
  ['warning', 'warn'],
  ['log', 'info'],
  ['critical', 'fatal'],
])

/** Derives the level from the severity number or the number from the level when one is missing. */
function readSeverity(level: unknown, number: unknown): { level: string; severity: number } {
  const given = numberOf(number)
  const severity = given === undefined || given < 1 || given > 24 ? 0 : Math.round(given)
  const word = typeof level === 'string' ? level.toLowerCase() : ''
  const name = aliases.get(word) ?? word
  const index = levels.indexOf(name as (typeof levels)[number])
  if (index >= 0) return { level: name, severity: severity || index * 4 + 1 }
  if (severity > 0) return { level: levels[Math.floor((severity - 1) / 4)] ?? 'info', severity }
  return { level: 'info', severity: 9 }
}
