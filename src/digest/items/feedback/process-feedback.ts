import { isObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import { type FeedbackRow, noId } from '#store/telemetry/rows.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { derivedId, readIdOrNone } from '../../normalize/ids.ts'
import { userHash } from '../../normalize/user-hash.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnEvent, scrubOwnFields } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { readJsonItem } from '../../read/read-json.ts'
import { claimEventId, discard, type RecordContext } from '../../record-context.ts'
import { normalizeEvent } from '../event/normalize-event.ts'
import { cleanEvent } from '../event/process-event.ts'

/** The text of the feedback form. It is sent as an event, so it is normalized as one. */
export function processFeedback(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  if (!isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const notes = new Notes()
  const event = normalizeEvent(payload.value, claimEventId(payload.value.event_id, itemIndex, context), context, notes)
  cleanEvent(event, hasShapes(payload.text), notes)
  scrubOwnEvent(event, context, notes)
  if (!notes.isEmpty) event._hydrant = notes.toJson()
  addRow(context.out, 'feedback', feedbackRow(event, context))
}

/** The crash dialog of older SDKs: `{ event_id, name, email, comments }`. */
export function processUserReport(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const report = payload.value
  if (!isObject(report)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const notes = new Notes()
  cleanTree(report, '', hasShapes(payload.text), notes)
  scrubOwnFields(report, context, notes)
  if (!notes.isEmpty) report._hydrant = notes.toJson()
  addRow(context.out, 'feedback', {
    project_id: context.projectId,
    feedback_id: derivedId(context.recordId, itemIndex),
    timestamp: context.receivedAt,
    received_at: context.receivedAt,
    retention_days: context.retentionDays.errors,
    weight: 1,
    source: 'user_report',
    message: textOf(report.comments),
    contact_email: textOf(report.email),
    contact_name: textOf(report.name),
    url: '',
    associated_event_id: readIdOrNone(report.event_id ?? context.eventId),
    replay_id: noId,
    trace_id: readIdOrNone(context.trace?.trace_id),
    environment: textOf(context.trace?.environment),
    release: textOf(context.trace?.release),
    user_hash: userHash(context.projectId, '', textOf(report.email)),
    data: JSON.stringify(report),
  })
}

function feedbackRow(event: StoredEvent, context: RecordContext): FeedbackRow {
  const { contexts, user } = event
  const feedback = contexts.feedback ?? {}
  return {
    project_id: context.projectId,
    feedback_id: event.event_id,
    timestamp: Math.round(event.timestamp * 1e3),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.errors,
    weight: 1,
    source: textOf(feedback.source) || 'api',
    message: textOf(feedback.message) || (event.logentry?.message ?? ''),
    contact_email: textOf(feedback.contact_email),
    contact_name: textOf(feedback.name),
    url: textOf(feedback.url) || (event.request?.url ?? ''),
    associated_event_id: readIdOrNone(feedback.associated_event_id),
    replay_id: readIdOrNone(feedback.replay_id ?? contexts.replay?.replay_id ?? event.tags.replayId),
    trace_id: readIdOrNone(contexts.trace?.trace_id),
    environment: event.environment ?? '',
    release: event.release ?? '',
    user_hash: userHash(context.projectId, user?.id ?? '', user?.email, user?.username, user?.ip_address),
    data: JSON.stringify(event),
  }
}
