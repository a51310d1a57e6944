/** Understands everything one request brought. Pure: the same record gives the same yield, on every repeat. */
import type { InboxRecord } from '#inbox/record.ts'
import { itemRule } from '#protocol/item-types.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { understandAttachment } from './items/attachment/process-attachment.ts'
import { understandCheckIn } from './items/check-in/process-check-in.ts'
import { understandClientReport } from './items/client-report/process-client-report.ts'
import { understandEvent } from './items/event/process-event.ts'
import { understandFeedback, understandUserReport } from './items/feedback/process-feedback.ts'
import { understandLog } from './items/log/process-log.ts'
import { understandProfile } from './items/profile/process-profile.ts'
import { understandReplayEvent, understandReplayRecording } from './items/replay/process-replay.ts'
import { understandSecurity } from './items/security/process-security.ts'
import { understandSession, understandSessions } from './items/session/process-session.ts'
import { understandSpan } from './items/span/process-span.ts'
import { understandTraceMetric } from './items/trace-metric/process-trace-metric.ts'
import { understandTransaction } from './items/transaction/process-transaction.ts'
import { mark, rollBack } from './notes.ts'
import type { DigestContext, RecordYield } from './processed-record.ts'
import { count, discard, openRecord, type RecordContext } from './record-context.ts'

type Pipeline = (item: EnvelopeItem, itemIndex: number, context: RecordContext) => void

const pipelines = new Map<string, Pipeline>([
  ['event', understandEvent],
  ['transaction', understandTransaction],
  ['span', understandSpan],
  ['log', understandLog],
  ['trace_metric', understandTraceMetric],
  ['session', understandSession],
  ['sessions', understandSessions],
  ['client_report', understandClientReport],
  ['attachment', understandAttachment],
  ['feedback', understandFeedback],
  ['user_report', understandUserReport],
  ['replay_event', understandReplayEvent],
  ['replay_recording', understandReplayRecording],
  ['profile', understandProfile],
  ['profile_chunk', understandProfile],
  ['check_in', understandCheckIn],
  ['security', understandSecurity],
  ['raw_security', understandSecurity],
])

/** Types that SDKs once sent, or that only servers and phones send. */
const unsupported = new Set(['statsd', 'metric_buckets', 'metric_meta', 'replay_video', 'form_data', 'unreal_report'])

export function understandRecord(record: InboxRecord, digest: DigestContext): RecordYield {
  const context = openRecord(record, digest)
  for (const fault of context.envelope.faults) {
    count(context, fault.itemType === null ? 'default' : itemRule(fault.itemType).category, 'invalid', fault.code, 1)
  }
  context.envelope.items.forEach((item, index) => {
    understandItem(item, index, context)
  })
  return context.out
}

function understandItem(item: EnvelopeItem, index: number, context: RecordContext): void {
  const { type } = item.headers
  const { out } = context
  out.items.set(type, (out.items.get(type) ?? 0) + 1)
  const pipeline = pipelines.get(type)
  if (pipeline === undefined) {
    discard(context, item, unsupported.has(type) ? 'unsupported_item' : 'unknown_item')
    return
  }
  const before = mark(out)
  try {
    pipeline(item, index, context)
  } catch (error) {
    // A fault of ours: the item is kept for whoever mends it, and its neighbours live.
    rollBack(out, before)
    out.faults.push({ itemType: type, message: faultMessage(error), payload: item.payload })
    discard(context, item, 'internal_error')
  }
}

const faultMessage = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).slice(0, 2_000) : String(error)
