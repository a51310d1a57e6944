import { describe, expect, it } from 'vitest'
import { makeRecord, type TestItem, testContext, testNow } from '../../test/make-record.ts'
import { processRecord } from './process-record.ts'

const processItems = (items: TestItem[], envelope: object = {}) =>
  processRecord(makeRecord(items, envelope), testContext)
const processEvent = (payload: unknown, envelope: object = {}) => {
  const { rows, faults } = processItems([{ type: 'event', payload }], envelope)
  expect(faults).toEqual([])
  const row = rows.events?.[0]
  if (row === undefined) throw new Error('no event row')
  return { row, data: JSON.parse(row.data), notes: JSON.parse(row.data)._hydrant?.notes ?? [] }
}
const nest = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

describe('invalid items', () => {
  it('invalid JSON in one of three items does not affect the others', () => {
    const { rows, outcomes } = processItems([
      { type: 'session', payload: { sid: 'a'.repeat(32), status: 'ok' } },
      { type: 'event', payload: '{"message": tru' },
      { type: 'check_in', payload: { monitor_slug: 'nightly', status: 'ok' } },
    ])
    expect(rows.sessions).toHaveLength(1)
    expect(rows.check_ins).toHaveLength(1)
    expect(outcomes).toEqual([
      { projectId: 42, category: 'error', kind: 'invalid', reason: 'invalid_json', quantity: 1, at: testNow },
    ])
  })

  it('unsupported and unknown item types are counted', () => {
    const { outcomes, items } = processItems([
      { type: 'statsd', payload: 'a:1|c' },
      { type: 'hologram', payload: {} },
    ])
    expect(outcomes.map(outcome => outcome.reason)).toEqual(['unsupported_item', 'unknown_item'])
    expect(items).toEqual(
      new Map([
        ['statsd', 1],
        ['hologram', 1],
      ]),
    )
  })

  it('spans without ids are counted, the others are stored', () => {
    const good = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), name: 'x', start_timestamp: 1, end_timestamp: 2 }
    const { rows, outcomes } = processItems([{ type: 'span', payload: { version: 2, items: [good, {}, null, 7] } }])
    expect(rows.spans).toHaveLength(1)
    expect(outcomes).toMatchObject([{ category: 'span', reason: 'invalid_payload', quantity: 3 }])
  })

  it('a duration nested ten thousand arrays deep is ignored, and the rest is stored', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    const { rows, faults } = processItems([
      { type: 'session', payload: `{"sid":"${'a'.repeat(32)}","status":"ok","duration":${deep}}` },
      { type: 'check_in', payload: `{"monitor_slug":"nightly","status":"ok","duration":${deep}}` },
    ])
    expect(faults).toEqual([])
    expect([rows.sessions, rows.check_ins]).toMatchObject([[{ duration_ms: 0 }], [{ duration_ms: 0 }]])
  })

  it('an item that is shorter than its length becomes an outcome', () => {
    const { outcomes } = processItems([{ type: 'attachment', headers: { length: 500 }, payload: 'short' }])
    expect(outcomes).toMatchObject([{ kind: 'invalid', category: 'attachment' }])
  })
})

describe('unusual events', () => {
  it('invalid UTF-8 is replaced and noted', () => {
    const { row, notes } = processEvent(Buffer.from([...Buffer.from('{"message":"caf'), 0xe9, ...Buffer.from('"}')]))
    expect(row.title).toBe('caf\ufffd')
    expect(notes).toMatchObject([{ kind: 'invalid' }])
  })

  it('an event nested 10,000 deep is cut and noted', () => {
    const { data, notes } = processEvent(`{"message":"deep","extra":${nest(10_000)},"contexts":{"x":${nest(10_000)}}}`)
    expect(notes.filter((note: { kind: string }) => note.kind === 'depth')).toHaveLength(2)
    expect(JSON.stringify(data).length).toBeLessThan(5_000)
  })

  it('exceptions, tags and attributes nested 10,000 deep do not overflow the stack', () => {
    const deep = nest(10_000)
    processEvent(
      `{"exception":{"values":[{"type":${deep},"value":${deep},"mechanism":${deep}}]},"tags":{"a":${deep}},"user":${deep},"sdk":${deep},"modules":${deep},"debug_meta":${deep},"_hydrant":${deep}}`,
    )
    const span = `{"trace_id":"${'a'.repeat(32)}","span_id":"${'b'.repeat(16)}","attributes":{"x":{"value":${deep},"type":"array"}},"rest":${deep},"links":[${deep}]}`
    const { rows, faults } = processItems([{ type: 'span', payload: `{"items":[${span}]}` }])
    expect(faults).toEqual([])
    expect(rows.spans).toHaveLength(1)
  })

  it('an infinite number is stored as text, so no sum includes it', () => {
    const vital = 'browser.web_vital.lcp.value'
    const span = `{"trace_id":"${'a'.repeat(32)}","span_id":"${'b'.repeat(16)}","attributes":{"${vital}":{"value":1e999,"type":"double"}}}`
    const { rows } = processItems([{ type: 'span', payload: `{"items":[${span}]}` }])
    expect(rows.spans?.[0]).toMatchObject({ numbers: {}, attributes: { [vital]: 'Infinity' } })
  })

  it('__proto__ and constructor are plain keys', () => {
    const { row, data } = processEvent(
      '{"message":"x","tags":{"__proto__":"p","constructor":"c"},"extra":{"__proto__":{"polluted":true}},"contexts":{"__proto__":{"a":1}}}',
    )
    expect(Object.entries(row.tags)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ])
    expect(Object.keys(data.extra)).toEqual(['__proto__'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    const attributes = '{"__proto__":{"value":"p","type":"string"},"constructor":{"value":1,"type":"integer"}}'
    const span = `{"trace_id":"${'a'.repeat(32)}","span_id":"${'b'.repeat(16)}","attributes":${attributes}}`
    const { rows } = processItems([{ type: 'span', payload: `{"items":[${span}]}` }])
    expect(Object.entries(rows.spans?.[0]?.attributes ?? {})).toContainEqual(['__proto__', 'p'])
    expect(Object.entries(rows.spans?.[0]?.numbers ?? {})).toEqual([['constructor', 1]])
  })

  it('times in 1970 count as of now, times in 3000 are clamped, and both are noted', () => {
    const old = processEvent({ timestamp: 1 })
    expect(old.row.timestamp).toBe(testNow)
    expect(old.notes).toMatchObject([{ path: 'timestamp', kind: 'clamped' }])
    expect(processEvent({ timestamp: '3000-01-01T00:00:00Z' }).row.timestamp).toBe(testNow + 60_000)
  })

  it('a client whose clock is two hours slow is shifted', () => {
    const sent = { sent_at: new Date(testNow - 2 * 3_600_000).toISOString() }
    const { row } = processEvent({ timestamp: testNow / 1e3 - 2 * 3600 - 5 }, sent)
    expect(row.timestamp).toBe(testNow - 5_000)
  })

  it('a stack of 10,000 frames keeps both ends', () => {
    const frames = Array.from({ length: 10_000 }, (_, at) => ({ function: `f${at}`, in_app: true }))
    const { data, notes } = processEvent({ exception: [{ type: 'RangeError', stacktrace: { frames } }] })
    const kept = data.exception.values[0].stacktrace.frames
    expect(kept).toHaveLength(250)
    expect([kept[0].function, kept[249].function]).toEqual(['f0', 'f9999'])
    expect(notes).toMatchObject([{ kind: 'trimmed', path: 'exception.values.0.stacktrace.frames' }])
  })

  it('breadcrumbs, tags, texts and extra are limited, and the cuts are noted', () => {
    const { data, row, notes } = processEvent({
      message: 'm'.repeat(100_000),
      breadcrumbs: { values: Array.from({ length: 300 }, (_, at) => ({ message: `crumb ${at}` })) },
      tags: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`tag${at}`, at])),
      extra: { dump: Array.from({ length: 100 }, () => 'x'.repeat(10_000)) },
    })
    expect(data.breadcrumbs).toHaveLength(100)
    expect(data.breadcrumbs[99].message).toBe('crumb 299')
    expect(Object.keys(row.tags)).toHaveLength(200)
    expect(data.logentry.message).toHaveLength(8_192)
    expect(JSON.stringify(data.extra).length).toBeLessThan(270_000)
    const paths = notes.map((note: { path: string }) => note.path)
    expect(paths).toEqual(expect.arrayContaining(['breadcrumbs', 'tags', 'logentry']))
  })

  it('fields of the wrong type never throw', () => {
    for (const wrong of [null, 0, 'x', true, [], {}, [null], { values: 'x' }, [['a']], { values: [1, null] }]) {
      for (const field of [
        'exception',
        'breadcrumbs',
        'tags',
        'user',
        'contexts',
        'request',
        'sdk',
        'fingerprint',
        'logentry',
        'message',
        'extra',
        'level',
        'timestamp',
        'platform',
        'transaction',
        'release',
        'modules',
      ]) {
        processEvent({ [field]: wrong })
      }
    }
  })
})

describe('ids', () => {
  it('hyphens and capitals are normalized, the envelope wins over the payload', () => {
    const { row } = processEvent({ event_id: 'f'.repeat(32) }, { event_id: 'DCE09844-C95D-48E8-84BE-7DBCA2C470B0' })
    expect(row.event_id).toBe('dce09844c95d48e884be7dbca2c470b0')
  })

  it('an event without an id gets the same one on every repeat', () => {
    expect(processEvent({ message: 'x' }).row.event_id).toBe(processEvent({ message: 'x' }).row.event_id)
    expect(processEvent({ event_id: 'no id' }).row.event_id).toMatch(/^[0-9a-f]{32}$/)
  })
})
