import { anything, assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { testContext } from '../../../test/make-record.ts'
import { listCaptures, readCapture } from '../../../test/read-capture.ts'
import { serializeEvent } from './serialize-event.ts'

const issue = { id: 7, projectId: 1, projectSlug: 'web', kind: 'error', hashes: ['a'] } as unknown as Issue
const alone = { older: null, newer: null }
const stored = (data: string, row: object | undefined) => ({ ...row, data }) as unknown as StoredEvent

/** Rows that digest makes from recorded traffic. */
const events = listCaptures('node-handled-cause')
  .flatMap(name => processRecord(readCapture(name), testContext).rows.events ?? [])
  .map(row => stored(row.data, row))

const entriesOf = (event: object) => serializeEvent(stored(JSON.stringify(event), events[0]), issue, alone).entries

describe('an event in the API', () => {
  it('has its exceptions with frames and source lines, and its breadcrumbs', () => {
    const entries = events.flatMap(event => serializeEvent(event, issue, alone).entries)
    expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(['exception', 'message', 'breadcrumbs']))
    const exceptions = entries.filter(({ type }) => type === 'exception').map(({ data }) => data as Exceptions)
    const frame = exceptions
      .flatMap(({ values }) => values)
      .flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
      .at(-1)
    expect(frame).toMatchObject({ lineNo: expect.any(Number), inApp: true })
    expect(frame?.context.find(([line]) => line === frame.lineNo)).toHaveLength(2)
  })

  it('lists tags as pairs, including the built-in ones', () => {
    const [event] = events
    if (!event) throw new Error('no event in the recording')
    expect(serializeEvent(event, issue, alone).tags).toContainEqual({ key: 'level', value: event.level })
  })

  it('has a filename for frames with only an absolute path', () => {
    const frames = [{ function: 'main', module: 'main', abs_path: '/srv/main.go', lineno: 14 }]
    const data = JSON.stringify({ exception: { values: [{ type: 'E', stacktrace: { frames } }] } })
    const { entries } = serializeEvent(stored(data, events[0]), issue, alone)
    const shown = entries.map(entry => (entry.data as Exceptions).values[0]?.stacktrace?.frames[0])
    expect(shown[0]).toMatchObject({ filename: '/srv/main.go' })
  })

  it('has stacks without an error: of the message, and of threads', () => {
    const stacktrace = { frames: [{ function: 'checkout', filename: 'shop/cart.py', lineno: 12, in_app: true }] }
    const [own, threads] = entriesOf({
      stacktrace,
      threads: { values: [{ id: 2, name: 'main', current: true, stacktrace }] },
    })
    const shown = { frames: [expect.objectContaining({ function: 'checkout', filename: 'shop/cart.py', lineNo: 12 })] }
    expect(own).toMatchObject({ type: 'stacktrace', data: shown })
    expect(threads).toMatchObject({
      type: 'threads',
      data: { values: [{ id: '2', name: 'main', current: true, crashed: false, stacktrace: shown }] },
    })
  })

  it.each([
    [{ 'csp-report': { 'blocked-uri': 'http://evil.example/foo', 'script-sample': 'x()' } }],
    [{ type: 'csp-violation', body: { blockedURL: 'http://evil.example/foo', scriptSample: 'x()' } }],
  ])('has the fields of a browser’s report: %j', report => {
    const [csp] = entriesOf({ report })
    expect(csp?.type).toBe('csp')
    expect(Object.values(csp?.data as object)).toEqual(['http://evil.example/foo', 'x()'])
    expect(csp?.data).toHaveProperty('script_sample')
    expect(csp?.data).toHaveProperty('blocked_uri')
  })

  it('has queries and cookies that were sent as text', () => {
    const [request] = entriesOf({ request: { query_string: 'a=1&b=2', cookies: 'c=3; d=4' } })
    expect(request?.data).toMatchObject({
      query: [
        ['a', '1'],
        ['b', '2'],
      ],
      cookies: [
        ['c', '3'],
        ['d', '4'],
      ],
    })
  })

  it('has the app’s own fields of the user as data', () => {
    const data = JSON.stringify({
      user: { id: '7', segment: 'vip', data: { plan: 'gold' }, geo: { country_code: 'DE' } },
    })
    expect(serializeEvent(stored(data, { ...events[0], user_id: '7' }), issue, alone).user).toMatchObject({
      id: '7',
      data: { plan: 'gold', segment: 'vip' },
      geo: { country_code: 'DE' },
    })
  })

  it('is valid JSON for any input', () => {
    assert(
      property(anything(), anything(), (one, other) => {
        const data = JSON.stringify(
          {
            exception: { values: [one, { stacktrace: { frames: [other] } }] },
            contexts: one,
            breadcrumbs: [other],
            request: other,
            logentry: one,
          },
          plain,
        )
        JSON.parse(JSON.stringify(serializeEvent(stored(data, events[0]), issue, alone)))
      }),
    )
  })
})

type Frame = { lineNo: number; context: [number, string][] }
type Exceptions = { values: { stacktrace: { frames: Frame[] } | null }[] }
const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
