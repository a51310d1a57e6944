import { canonicalAddress } from '#lib/ip-address.ts'
import { countOf, isObject, type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { noId, type SessionRow } from '#store/telemetry/rows.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { readId } from '../../normalize/ids.ts'
import { readUserAgent } from '../../normalize/read-user-agent.ts'
import { nameOf, userHash } from '../../normalize/user-hash.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnFields } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { readJsonItem } from '../../read/read-json.ts'
import { discard, itemTimeMs, type RecordContext } from '../../record-context.ts'

/** One update of a session. */
export function processSession(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const row = isObject(payload.value) ? sessionRow(payload.value, context) : null
  if (row === null) discard(context, item, 'invalid_payload')
  else addRow(context.out, 'sessions', row)
}

/** Sessions that a server SDK aggregated by the minute. */
export function processSessions(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const rows = isObject(payload.value) ? aggregateRows(payload.value, context) : null
  if (rows === null) discard(context, item, 'invalid_payload')
  else if (rows.length === 0) discard(context, item, 'empty')
  else for (const row of rows) addRow(context.out, 'sessions', row)
}

const uint32 = 4_294_967_295

/** Null without a session id: the updates of a session could not be matched. */
function sessionRow(session: JsonObject, context: RecordContext): SessionRow | null {
  const sessionId = readId(session.sid)
  if (sessionId === '') return null
  const notes = new Notes()
  scrubOwnFields(session, context, notes)
  const attrs = sessionAttrs(session, context)
  const timestamp = itemTimeMs(session.timestamp, 'timestamp', context, notes)
  const started = session.started === undefined ? timestamp : itemTimeMs(session.started, 'started', context, notes)
  const client = readUserAgent(textOf(attrs?.user_agent))
  if (!notes.isEmpty) session._hydrant = notes.toJson()
  return {
    project_id: context.projectId,
    started: Math.round(started),
    timestamp: Math.round(timestamp),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    session_id: sessionId,
    is_init: session.init === true,
    status: nameOf(session.status) || 'ok',
    errors: countOf(session.errors, uint32),
    duration_ms: countOf((numberOf(session.duration) ?? 0) * 1e3),
    quantity: 1,
    environment: nameOf(attrs?.environment),
    release: nameOf(attrs?.release),
    user_hash: userHash(context.projectId, textOf(session.did), '', '', textOf(attrs?.ip_address)),
    browser_name: client.browserName,
    os_name: client.osName,
    data: dataOf(session, notes),
  }
}

/** The whole payload: sessions are small, and future SDKs may add fields. */
function dataOf(session: JsonObject, notes: Notes): string {
  const { sid } = session
  // The id of the session is not a secret, but `sid` is a sensitive key.
  session.sid = undefined
  const clean = cleanTree(session, '', true, notes)
  return JSON.stringify(isObject(clean) ? { ...clean, sid } : clean)
}

const statuses = ['exited', 'errored', 'crashed', 'abnormal', 'unhandled'] as const

/** One row per minute and status with a count; null without a list of aggregates. */
function aggregateRows(sessions: JsonObject, context: RecordContext): SessionRow[] | null {
  if (!Array.isArray(sessions.aggregates)) return null
  const attrs = sessionAttrs(sessions, context)
  const rows: SessionRow[] = []
  for (const minute of sessions.aggregates.filter(isObject)) {
    const notes = new Notes()
    scrubOwnFields(minute, context, notes)
    const started = Math.round(itemTimeMs(minute.started, 'started', context, notes))
    for (const status of statuses) {
      const quantity = countOf(minute[status])
      if (quantity > 0) rows.push(rowOf(status, quantity, started, minute, attrs, context))
    }
  }
  return rows
}

function rowOf(
  status: string,
  quantity: number,
  started: number,
  minute: JsonObject,
  attrs: JsonObject | undefined,
  context: RecordContext,
): SessionRow {
  return {
    project_id: context.projectId,
    started,
    timestamp: started,
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    session_id: noId,
    is_init: true,
    status,
    errors: 0,
    duration_ms: 0,
    quantity,
    environment: nameOf(attrs?.environment),
    release: nameOf(attrs?.release),
    user_hash: userHash(context.projectId, textOf(minute.did)),
    browser_name: '',
    os_name: '',
    data: '',
  }
}

/** The attributes, with the client's IP address if the SDK asks for it. */
function sessionAttrs(session: JsonObject, context: RecordContext): JsonObject | undefined {
  const attrs = objectOf(session.attrs)
  if (attrs?.ip_address === '{{auto}}') attrs.ip_address = context.clientAddress
  else if (typeof attrs?.ip_address === 'string') attrs.ip_address = canonicalAddress(attrs.ip_address)
  return attrs
}
