/** An inbox record with these items, as ingest would have stored it. */
import type { InboxRecord, RecordHead } from '#inbox/record.ts'

export const testNow = Date.parse('2026-11-15T12:00:00.000Z')
export const testContext = { recordId: 'inbox:1:0', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '/nowhere' }

export type TestItem = { type: string; headers?: object; payload: unknown }

/** Strings and buffers are used as they are, other payloads become JSON. */
export function makeRecord(items: TestItem[], envelope: object = {}, head: Partial<RecordHead> = {}): InboxRecord {
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(envelope)}\n`)]
  for (const { type, headers, payload } of items) {
    const bytes = Buffer.isBuffer(payload)
      ? payload
      : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
    parts.push(Buffer.from(`${JSON.stringify({ type, length: bytes.length, ...headers })}\n`), bytes, Buffer.from('\n'))
  }
  return {
    head: { projectId: 42, keyId: 1, receivedAt: testNow, clientAddress: '203.0.113.7', userAgent: '', ...head },
    body: Buffer.concat(parts),
  }
}
