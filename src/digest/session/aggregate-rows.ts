import { countOf, isObject, type JsonObject, textOf } from '#lib/json-value.ts'
import { noId, type SessionRow } from '#store/telemetry/rows.ts'
import { itemTimeMs } from '../normalise/item-time.ts'
import { nameOf } from '../normalise/name-of.ts'
import { userHash } from '../normalise/user-hash.ts'
import { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import { sessionAttrs } from './session-attrs.ts'

const statuses = ['exited', 'errored', 'crashed', 'abnormal', 'unhandled'] as const

/** One row for each minute and status that counted anything; null when there is no list of aggregates. */
export function aggregateRows(sessions: JsonObject, context: RecordContext): SessionRow[] | null {
  if (!Array.isArray(sessions.aggregates)) return null
  const attrs = sessionAttrs(sessions, context)
  const rows: SessionRow[] = []
  for (const minute of sessions.aggregates.filter(isObject)) {
    const notes = new Notes()
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
