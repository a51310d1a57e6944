/** Sends error events through digest up to the control database: understood, sorted out, counted, committed. */
import { commitBatch } from '#digest/commit-batch.ts'
import { filterBatch } from '#digest/filter-batch.ts'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import type { IssueLimits } from '#domain/issues/counters/issue-quota.ts'
import { createIds } from '../create-ids.ts'
import { makeRecord, testContext } from '../make-record.ts'
import type { World } from './workflow-world.ts'

export type SentError = {
  type?: string
  release?: string
  at?: number
  receivedAt?: number
  user?: string
  isHandled?: boolean
  level?: string
  hasFile?: boolean
  /** The message; made from the type where it is not given. */
  value?: string
  platform?: string
  environment?: string
  eventId?: string
  /** 32 hex digits. */
  trace?: string
}

const nextId = createIds('digested')
let batches = 0
/** Only errors that a server must explain are looked up there, and these tests send none. */
const noEngine = { query: () => Promise.reject(new Error('there is no engine here')) }

/** All in one batch, at the world's time unless they say otherwise. */
export async function digestEvents(
  { control, clock, web }: World,
  errors: SentError[],
  limits?: IssueLimits,
): Promise<PreparedBatch> {
  const records = errors.map(sent => {
    const { type = 'TypeError', release, at = clock.now, user, isHandled = true, hasFile, platform = 'node' } = sent
    const receivedAt = sent.receivedAt ?? clock.now
    const event_id = sent.eventId ?? nextId()
    const exception = {
      values: [{ type, value: sent.value ?? `${type} happened`, mechanism: { type: 'generic', handled: isHandled } }],
    }
    const payload = {
      event_id,
      timestamp: at / 1_000,
      level: sent.level ?? 'error',
      platform,
      exception,
      release,
      environment: sent.environment,
      user: user && { id: user },
      contexts: sent.trace && { trace: { trace_id: sent.trace, span_id: 'a'.repeat(16) } },
    }
    const file = { type: 'attachment', headers: { filename: 'log.txt' }, payload: 'lines' }
    const items = [{ type: 'event', payload }, ...(hasFile ? [file] : [])]
    const record = makeRecord(items, { event_id }, { projectId: web, receivedAt })
    return { processed: processRecord(record, testContext), spool: null, receivedAt }
  })
  batches += 1
  const batch = await filterBatch({
    control,
    telemetry: noEngine,
    inboxId: 'inbox',
    seal: { batch: batches, segment: 1, start: 0, endSegment: 1, end: batches },
    records,
    previous: null,
    mayHaveArrived: false,
    isRepeated: () => false,
  })
  await commitBatch(control, 'inbox', batch, limits === undefined ? {} : { limits })
  return batch
}
