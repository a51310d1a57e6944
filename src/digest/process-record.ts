/** Processes all items of one request. Pure: the same record gives the same result on every repeat. */
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
import { type DigestContext, markProgress, type ProcessedRecord, rollBack } from './processed-record.ts'
import { count, discard, openRecord, type RecordContext } from './record-context.ts'

export function processRecord(record: InboxRecord, digest: DigestContext): ProcessedRecord {
  const context = openRecord(record, digest)
  countEnvelopeFaults(context)
  for (const [index, item] of context.envelope.items.entries()) processItem(item, index, context)
  return context.out
}

type ItemProcessor = (item: EnvelopeItem, itemIndex: number, context: RecordContext) => void

const processors = new Map<string, ItemProcessor>([
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

/** Types of old SDKs, or that only native and mobile SDKs send. */
const unsupported = new Set(['statsd', 'metric_buckets', 'metric_meta', 'replay_video', 'form_data', 'unreal_report'])

function processItem(item: EnvelopeItem, index: number, context: RecordContext): void {
  const { type } = item.headers
  const { out } = context
  out.items.set(type, (out.items.get(type) ?? 0) + 1)
  const processor = processors.get(type)
  if (processor === undefined) {
    discard(context, item, unsupported.has(type) ? 'unsupported_item' : 'unknown_item')
    return
  }
  const before = markProgress(out)
  try {
    processor(item, index, context)
  } catch (error) {
    // A bug of ours: the item becomes a dead letter, the other items of the record are not affected.
    rollBack(out, before)
    out.faults.push({ itemType: type, message: faultMessage(error), payload: item.payload })
    discard(context, item, 'internal_error')
  }
}

function countEnvelopeFaults(context: RecordContext): void {
  for (const { itemType, code } of context.envelope.faults)
    count(context, itemType === null ? 'default' : itemRule(itemType).category, 'invalid', code, 1)
}

const faultMessage = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).slice(0, 2_000) : String(error)
