import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { FeedbackRow } from '#store/telemetry/rows.ts'
import { readIdOrNone } from '../normalise/ids.ts'
import { userHash } from '../normalise/user-hash.ts'
import type { RecordContext } from '../record-context.ts'

export function feedbackRow(event: StoredEvent, context: RecordContext): FeedbackRow {
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
