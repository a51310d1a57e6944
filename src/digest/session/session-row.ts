import { countOf, isObject, type JsonObject, numberOf, textOf } from '#lib/json-value.ts'
import type { SessionRow } from '#store/telemetry/rows.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import { readId } from '../normalise/ids.ts'
import { itemTimeMs } from '../normalise/item-time.ts'
import { nameOf } from '../normalise/name-of.ts'
import { readUserAgent } from '../normalise/read-user-agent.ts'
import { userHash } from '../normalise/user-hash.ts'
import { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import { sessionAttrs } from './session-attrs.ts'

const uint32 = 4_294_967_295

/** Null without a session id: its updates could not be told apart. */
export function sessionRow(session: JsonObject, context: RecordContext): SessionRow | null {
  const sessionId = readId(session.sid)
  if (sessionId === '') return null
  const notes = new Notes()
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

/** All that was sent: sessions are small, and SDKs of tomorrow add to them. */
function dataOf(session: JsonObject, notes: Notes): string {
  const { sid } = session
  // The session's own id is no secret, though a cookie of that name would be.
  session.sid = undefined
  const clean = cleanTree(session, '', true, notes)
  return JSON.stringify(isObject(clean) ? { ...clean, sid } : clean)
}
