import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { readCaptures, recordedFeedback } from './capture-file.ts'
import { prepareVisit } from './repeat-visit.ts'

const { ids, visits } = readCaptures()
const requests = visits.flatMap(visit => visit.requests)
const text = JSON.stringify(visits)

test('the recorded visits hold what a server-rendered app sends', () => {
  const types = new Set(requests.flatMap(({ items }) => items.map(({ headers }) => headers.type)))
  expect([...types].sort()).toEqual(
    expect.arrayContaining([
      'attachment',
      'check_in',
      'event',
      'feedback',
      'log',
      'profile_chunk',
      'replay_event',
      'replay_recording',
      'session',
      'span',
    ]),
  )
})

test('the recording does not tell on which machine it was made', () => {
  for (const word of ['127.0.0.1', '/tmp/', 'tmp.shop', '/root/', '/home/', 'Headless'])
    expect(text.includes(word), word).toBe(false)
})

test('the recorded feedback is found, so that repeats can say something else', () => {
  for (const word of Object.values(recordedFeedback)) expect(text).toContain(`"${word}"`)
})

test('attachments are as the SDK sent them', () => {
  const files = requests.flatMap(({ items }) => items.filter(({ payload }) => payload.kind === 'bytes'))
  expect(files.length).toBeGreaterThan(0)
  for (const { headers, payload } of files)
    expect(payload.kind === 'bytes' && Buffer.from(payload.base64, 'base64').length).toBe(headers.length)
})

test('each span that names a profiler has samples', () => {
  type Chunk = { profiler_id: string; profile: { samples: { timestamp: number }[] } }
  type Span = { start_timestamp: number; end_timestamp: number; attributes: Record<string, { value: unknown }> }
  const isEmpty = (chunks: Chunk[], { start_timestamp, end_timestamp, attributes }: Span) =>
    !chunks
      .filter(chunk => chunk.profiler_id === attributes['sentry.profiler_id']?.value)
      .some(chunk =>
        chunk.profile.samples.some(({ timestamp }) => timestamp >= start_timestamp && timestamp <= end_timestamp),
      )
  for (const visit of visits) {
    const items = visit.requests.flatMap(request => request.items)
    const valuesOf = (type: string) =>
      items.flatMap(({ headers, payload }) => (headers.type === type && payload.kind === 'json' ? [payload.value] : []))
    const chunks = valuesOf('profile_chunk') as Chunk[]
    const spans = (valuesOf('span') as { items: Span[] }[]).flatMap(value => value.items)
    const profiled = spans.filter(({ attributes }) => 'sentry.profiler_id' in attributes)
    expect(profiled.length).toBeGreaterThan(0)
    expect(profiled.filter(span => isEmpty(chunks, span))).toEqual([])
  }
})

test('digest accepts every request of a repeated visit, at its new time', () => {
  const beginsAt = Date.UTC(2027, 0, 5, 8)
  const releases = ['shop@2.0.0', 'shop@2.1.0'] as const
  for (const visit of visits) {
    const repeat = prepareVisit(visit, new Set(ids))
    for (const { at: receivedAt, userAgent, body } of repeat({
      key: 'test',
      beginsAt,
      user: 'user-1',
      releases,
      feedback: recordedFeedback,
    })) {
      const head = { projectId: 1, keyId: 1, receivedAt, clientAddress: '203.0.113.7', userAgent }
      const context = { recordId: 'test', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      const { faults, outcomes, rows } = processRecord({ head, body }, context)
      expect(faults).toEqual([])
      expect(outcomes).toEqual([])
      for (const { timestamp } of [...(rows.events ?? []), ...(rows.logs ?? [])]) {
        const ms = typeof timestamp === 'number' && timestamp > 1e14 ? timestamp / 1e3 : Number(timestamp)
        expect(ms).toBeGreaterThan(beginsAt - 60_000)
        expect(ms).toBeLessThan(receivedAt + 60_000)
      }
    }
  }
})
