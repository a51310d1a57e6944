import { expect, test } from 'vitest'
import { type CapturedVisit, recordedFeedback } from './capture-file.ts'
import { prepareVisit, type RepeatedRequest } from './repeat-visit.ts'

const beganAt = Date.UTC(2026, 10, 19, 10)
const second = beganAt / 1e3
const traceId = '0123456789abcdef0123456789abcdef'
const spanId = '0123456789abcdef'
const replayId = '01234567-89ab-cdef-0123-456789abcdef'
const chunk = 'fedcba9876543210'

const visitOf = (value: object): CapturedVisit => ({
  name: 'browse',
  beganAt,
  endedAt: beganAt + 20_000,
  requests: [
    {
      at: beganAt + 1_000,
      userAgent: 'Chrome',
      headers: { sent_at: '2026-11-19T10:00:01.250Z' },
      items: [{ headers: { type: 'event' }, payload: { kind: 'json', value } }],
    },
  ],
})
const ids = new Set([traceId, spanId, replayId])
const repeat = {
  key: 'first',
  beginsAt: beganAt - 86_400_000,
  user: 'user-7',
  releases: ['shop@1.4.0', 'shop@1.5.0'],
  feedback: { name: 'Noor', email: 'noor@example.com', message: 'How "deep" is it?' },
} as const

function requestOf(value: object, given: Partial<typeof repeat> | { key: string } = {}): RepeatedRequest {
  const [request] = prepareVisit(visitOf(value), ids)({ ...repeat, ...given })
  if (request === undefined) throw new Error('no request')
  return request
}

function repeated(value: object, key = 'first'): { [name: string]: unknown } {
  const [, , payload = ''] = requestOf(value, { key }).body.toString('utf8').split('\n')
  return JSON.parse(payload)
}

test('all times of a visit move by the same interval, whatever their unit', () => {
  const value = {
    timestamp: second + 1.5,
    at: beganAt + 1_500,
    started: '2026-11-19T10:00:01.500Z',
    count: 3,
    ttl: 90_000,
  }
  expect(repeated(value)).toEqual({
    timestamp: second - 86_400 + 1.5,
    at: beganAt - 86_400_000 + 1_500,
    started: '2026-11-18T10:00:01.500Z',
    count: 3,
    ttl: 90_000,
  })
  const { at, body } = requestOf({})
  expect(at).toBe(beganAt - 86_399_000)
  expect(body.toString('utf8')).toContain('{"sent_at":"2026-11-18T10:00:01.250Z"}')
})

test('times outside the visit stay', () => {
  const value = { born: '2020-01-01T00:00:00.000Z', deployed: second - 86_400, order: 12 }
  expect(repeated(value)).toEqual(value)
})

test('an id has one new name in all places of a visit, and another one in the next visit', () => {
  const value = { trace: traceId, header: `${traceId}-${spanId}-1`, baggage: `sentry-trace_id=${traceId}`, replayId }
  const first = repeated(value)
  expect(first.trace).toMatch(/^[0-9a-f]{32}$/)
  expect(first.trace).not.toBe(traceId)
  expect(String(first.header).startsWith(`${first.trace}-`)).toBe(true)
  expect(first.baggage).toBe(`sentry-trace_id=${first.trace}`)
  expect(first.replayId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(repeated(value)).toEqual(first)
  expect(repeated(value, 'second').trace).not.toBe(first.trace)
})

test('names of files that look like ids stay, so that repeats share their issues', () => {
  expect(repeated({ file: `/_next/static/chunks/${chunk}.js` })).toEqual({ file: `/_next/static/chunks/${chunk}.js` })
})

test('release and user are those of the repeat', () => {
  const value = { release: 'shop@1.0.0', next: 'shop@1.1.0', baggage: 'sentry-release=shop%401.0.0', id: 'visitor-1' }
  expect(repeated(value)).toEqual({
    release: 'shop@1.4.0',
    next: 'shop@1.5.0',
    baggage: 'sentry-release=shop%401.4.0',
    id: 'user-7',
  })
})

test('the words of a feedback are those of the repeat', () => {
  const { name, email, message } = recordedFeedback
  const value = { contexts: { feedback: { name, contact_email: email, message } }, name: `not ${name}` }
  expect(repeated(value)).toEqual({
    contexts: { feedback: { name: 'Noor', contact_email: 'noor@example.com', message: 'How "deep" is it?' } },
    name: 'not Elin',
  })
})

test('everything else stays as it was sent', () => {
  const value = {
    text: 'a "quoted"\nline \u2028 of 😀 and \ud800',
    list: [1.5, -0.25, 1e21, true, null, []],
    nested: { '': {}, 'shop@1.0.0': 'key' },
  }
  const { 'shop@1.0.0': key, ...nested } = value.nested
  expect(repeated(value)).toEqual({ ...value, nested: { ...nested, 'shop@1.4.0': key } })
})

test('a request becomes an envelope with the lengths of its payloads', () => {
  expect(requestOf({ message: 'ä', at: beganAt }).body.toString('utf8')).toBe(
    `{"sent_at":"2026-11-18T10:00:01.250Z"}\n{"type":"event","length":35}\n{"message":"ä","at":${beganAt - 86_400_000}}\n`,
  )
})
