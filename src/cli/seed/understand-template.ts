/** Seeded rows are understood by digest itself: whatever it makes of an SDK's envelope is what a page will be given. */
import { understandRecord } from '#digest/understand-record.ts'
import type { RecordYield } from '#digest/yield.ts'
import { slots } from './slots.ts'

export type TemplateItem = { header: Record<string, unknown>; payload: object }
export type TemplateContext = { projectId: number; retentionDays: { errors: number; rest: number } }

const trace = {
  trace_id: slots.traceId,
  environment: slots.environment,
  release: slots.release,
  sample_rate: '1',
  sampled: 'true',
}

export function understandTemplate(
  item: TemplateItem,
  userAgent: string,
  { projectId, retentionDays }: TemplateContext,
): RecordYield {
  const sentAt = new Date(slots.second * 1e3).toISOString()
  const lines = [{ event_id: slots.eventId, sent_at: sentAt, trace }, item.header, item.payload]
  const body = Buffer.from(`${lines.map(line => JSON.stringify(line)).join('\n')}\n`)
  const head = { projectId, keyId: 0, receivedAt: slots.second * 1e3, clientAddress: '203.0.113.7', userAgent }
  const yielded = understandRecord({ head, body }, { recordId: 'seed', retentionDays, spoolFolder: '' })
  const [fault] = yielded.faults
  if (fault) throw new Error(`A template was not understood: ${fault.message}`)
  return yielded
}
