/** Understands everything one request brought. Pure: the same record gives the same yield, on every repeat. */
import type { InboxRecord } from '#inbox/record.ts'
import { itemRule } from '#protocol/item-types.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { processAttachment } from './items/attachment/process-attachment.ts'
import { processCheckIn } from './items/check-in/process-check-in.ts'
import { processClientReport } from './items/client-report/process-client-report.ts'
import { processEvent } from './items/event/process-event.ts'
import { processFeedback, processUserReport } from './items/feedback/process-feedback.ts'
import { processLog } from './items/log/process-log.ts'
import { processProfile } from './items/profile/process-profile.ts'
import { processReplayEvent, processReplayRecording } from './items/replay/process-replay.ts'
import { processSecurity } from './items/security/process-security.ts'
import { processSession, processSessions } from './items/session/process-session.ts'
import { processSpan } from './items/span/process-span.ts'
import { processTraceMetric } from './items/trace-metric/process-trace-metric.ts'
import { processTransaction } from './items/transaction/process-transaction.ts'
import { mark, rollBack } from './notes.ts'
import type { DigestContext, ProcessedRecord } from './processed-record.ts'
import { count, discard, openRecord, type RecordContext } from './record-context.ts'

type Pipeline = (item: EnvelopeItem, itemIndex: number, context: RecordContext) => void

const pipelines = new Map<string, Pipeline>([
  ['event', processEvent],
  ['transaction', processTransaction],
  ['span', processSpan],
  ['log', processLog],
  ['trace_metric', processTraceMetric],
  ['session', processSession],
  ['sessions', processSessions],
  ['client_report', processClientReport],
  ['attachment', processAttachment],
  ['feedback', processFeedback],
  ['user_report', processUserReport],
  ['replay_event', processReplayEvent],
  ['replay_recording', processReplayRecording],
  ['profile', processProfile],
  ['profile_chunk', processProfile],
  ['check_in', processCheckIn],
  ['security', processSecurity],
  ['raw_security', processSecurity],
])

/** Types that SDKs once sent, or that only servers and phones send. */
const unsupported = new Set(['statsd', 'metric_buckets', 'metric_meta', 'replay_video', 'form_data', 'unreal_report'])

export function processRecord(record: InboxRecord, digest: DigestContext): ProcessedRecord {
  const context = openRecord(record, digest)
  for (const fault of context.envelope.faults) {
    count(context, fault.itemType === null ? 'default' : itemRule(fault.itemType).category, 'invalid', fault.code, 1)
  }
  context.envelope.items.forEach((item, index) => {
    processItem(item, index, context)
  })
  return context.out
}

function processItem(item: EnvelopeItem, index: number, context: RecordContext): void {
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
    // A fault of ours: the item is kept for whoever mends it, and its neighbors live.
    rollBack(out, before)
    out.faults.push({ itemType: type, message: faultMessage(error), payload: item.payload })
    discard(context, item, 'internal_error')
  }
}

const faultMessage = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).slice(0, 2_000) : String(error)
