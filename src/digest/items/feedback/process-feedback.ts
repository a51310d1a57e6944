/** Feedback of users: a row of its own, and an event of kind `feedback`, so that it becomes an issue with all that issues have (0071). */
import { feedbackKind } from '#lib/event-kind.ts'
import { isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import type { FeedbackRow } from '#store/telemetry/rows.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { derivedId, readIdOrNone } from '../../normalize/ids.ts'
import { userHash } from '../../normalize/user-hash.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnFields } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { readJsonItem } from '../../read/read-json.ts'
import { claimEventId, discard, type RecordContext } from '../../record-context.ts'
import { normalizeEvent } from '../event/normalize-event.ts'
import { addEvent, cleanEvent } from '../event/process-event.ts'
import { feedbackFingerprint } from './feedback-fingerprint.ts'

/** The text of the feedback form. It is sent as an event, so it is normalized as one. */
export function processFeedback(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  if (!isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const notes = new Notes()
  const id = claimEventId(payload.value.event_id, itemIndex, context)
  addFeedback(asMessage(payload.value), id, hasShapes(payload.text), notes, context)
}

/** The crash dialog, and that of older SDKs: `{ event_id, name, email, comments }`. */
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
  // Rules name the fields as they were sent.
  scrubOwnFields(report, context, notes)
  const raw = asMessage(eventOf(report, context))
  addFeedback(raw, derivedId(context.recordId, itemIndex), false, notes, context)
}

function eventOf(report: JsonObject, context: RecordContext): JsonObject {
  return {
    platform: 'javascript',
    // Nobody has asked for the address of who writes.
    sdk: { ...context.sdk, settings: { infer_ip: 'never' } },
    environment: context.trace?.environment,
    release: context.trace?.release,
    contexts: {
      trace: { trace_id: context.trace?.trace_id },
      feedback: {
        message: textOf(report.comments),
        contact_email: textOf(report.email),
        name: textOf(report.name),
        source: 'user_report',
        associated_event_id: textOf(report.event_id) || context.eventId,
      },
    },
    ...(textOf(report.url) === '' ? {} : { request: { url: report.url } }),
  }
}

/** As other events have it: the words as the message, the replay in its context, and the address that the user gave, unless the app knows better. */
function asMessage(raw: JsonObject): JsonObject {
  const contexts = objectOf(raw.contexts) ?? {}
  const feedback = objectOf(contexts.feedback) ?? {}
  raw.level ??= 'info'
  const message = textOf(feedback.message)
  if (message !== '') raw.logentry = { message }
  if (feedback.replay_id !== undefined) contexts.replay ??= { replay_id: feedback.replay_id }
  const user = objectOf(raw.user) ?? {}
  const [email, name] = [textOf(feedback.contact_email), textOf(feedback.name)]
  if (email !== '') user.email ??= email
  if (name !== '') user.name ??= name
  if (email !== '' || name !== '') raw.user = user
  return raw
}

function addFeedback(raw: JsonObject, id: string, mayHaveShapes: boolean, notes: Notes, context: RecordContext): void {
  const event = normalizeEvent(raw, id, context, notes)
  event.fingerprint = feedbackFingerprint(event)
  cleanEvent(event, mayHaveShapes, notes)
  addEvent(event, feedbackKind, notes, context)
  addRow(context.out, 'feedback', feedbackRow(event, context))
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
