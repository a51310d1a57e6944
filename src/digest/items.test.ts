import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeRecord, type TestItem, testContext, testNow } from '../../test/make-record.ts'
import { processRecord } from './process-record.ts'

const processItems = (items: TestItem[], envelope: object = {}) =>
  processRecord(makeRecord(items, envelope), testContext)
const ids = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }

describe('transactions', () => {
  it('store measurements under the names of streamed spans, and keep the rest', () => {
    const { rows } = processItems([
      {
        type: 'transaction',
        payload: {
          transaction: '/items/:id',
          start_timestamp: testNow / 1e3 - 2,
          timestamp: testNow / 1e3,
          contexts: {
            trace: {
              ...ids,
              op: 'pageload',
              status: 'ok',
              data: { 'http.method': 'GET', 'http.status_code': 200, 'http.url': 'https://x/items/7' },
            },
          },
          measurements: { lcp: { value: 1200, unit: 'millisecond' }, custom: { value: 3, unit: 'byte' } },
          spans: [
            {
              ...ids,
              span_id: 'c'.repeat(16),
              op: 'db',
              description: 'SELECT 1',
              start_timestamp: 1,
              timestamp: 2,
              status: 'not_found',
              hash: 'h',
            },
          ],
        },
      },
    ])
    expect(rows.spans?.[0]).toMatchObject({
      is_segment: true,
      duration_us: 2_000_000,
      route: '/items/[id]',
      method: 'GET',
      status_code: 200,
      url: 'https://x/items/7',
      numbers: { 'browser.web_vital.lcp.value': 1200, 'measurements.custom': 3 },
      attributes: { 'http.method': 'GET', 'measurements.custom.unit': 'byte' },
    })
    expect(rows.spans?.[1]).toMatchObject({
      status: 'error',
      attributes: { 'sentry.status.message': 'not_found' },
      data: '{"hash":"h"}',
    })
  })
})

describe('spans', () => {
  it('are read from single span items of older browser SDKs', () => {
    const { rows } = processItems(
      [
        {
          type: 'span',
          payload: {
            ...ids,
            op: 'ui.interaction.click',
            description: 'button',
            start_timestamp: testNow / 1e3,
            timestamp: testNow / 1e3 + 0.1,
            data: { release: 'r1', environment: 'e', transaction: '/cart' },
            measurements: { inp: { value: 96 } },
          },
        },
      ],
      { sdk: { name: 'sentry.javascript.react', version: '9.0.0' } },
    )
    expect(rows.spans?.[0]).toMatchObject({
      op: 'ui.interaction.click',
      release: 'r1',
      environment: 'e',
      route: '/cart',
      sdk_version: '9.0.0',
      platform: 'javascript',
      numbers: { 'browser.web_vital.inp.value': 96 },
    })
  })

  it('that were canceled have not failed', () => {
    const reason = { 'sentry.status.message': { value: 'cancelled', type: 'string' } }
    const streamed = { ...ids, status: 'error', attributes: reason }
    const failed = { ...ids, status: 'error', attributes: {} }
    const stored = [...(processItems([{ type: 'span', payload: { items: [streamed, failed] } }]).rows.spans ?? [])]
    expect(stored.map(({ status }) => status)).toEqual(['ok', 'error'])
    const trace = { ...ids, op: 'pageload', status: 'cancelled' }
    const payload = {
      transaction: '/',
      start_timestamp: testNow / 1e3 - 2,
      timestamp: testNow / 1e3,
      contexts: { trace },
    }
    expect(processItems([{ type: 'transaction', payload }]).rows.spans?.[0]).toMatchObject({
      status: 'ok',
      attributes: { 'sentry.status.message': 'cancelled' },
    })
  })

  it('prefer new attribute names over old ones, whatever their order', () => {
    const typed = (value: unknown) => ({ value, type: 'string' })
    const span = {
      ...ids,
      attributes: {
        'http.method': typed('GET'),
        'http.request.method': typed('POST'),
        'http.response.status_code': typed(201),
        'http.status_code': typed(500),
      },
    }
    expect(processItems([{ type: 'span', payload: { items: [span] } }]).rows.spans?.[0]).toMatchObject({
      method: 'POST',
      status_code: 201,
      attributes: { 'http.method': 'GET' },
    })
  })

  it('keep links and unknown fields that have no column', () => {
    const span = {
      ...ids,
      links: [{ trace_id: 'd'.repeat(32) }],
      flavour: 'new',
      attributes: {
        a: { value: [1, 'x'], type: 'array' },
        b: { value: true, type: 'boolean' },
        size: { value: 3, type: 'integer', unit: 'byte' },
      },
    }
    const row = processItems([{ type: 'span', payload: { items: [span] } }]).rows.spans?.[0]
    expect(row?.attributes).toMatchObject({ a: '[1,"x"]', b: 'true', 'size.unit': 'byte' })
    expect([row?.links, row?.data, row?.numbers.size]).toEqual([JSON.stringify(span.links), '{"flavour":"new"}', 3])
  })

  it('get the client’s IP address and user agent when the SDK asks for it', () => {
    const container = (settings: object) => ({ ingest_settings: settings, items: [{ ...ids, attributes: {} }] })
    const row = (settings: object) => processItems([{ type: 'span', payload: container(settings) }]).rows.spans?.[0]
    expect(row({ infer_ip: 'auto' })?.attributes['user.ip_address']).toBe('203.0.113.7')
    expect(row({ infer_ip: 'never' })?.attributes['user.ip_address']).toBeUndefined()
    expect(row({ infer_ip: 'never' })?.platform).toBe('javascript')
  })
})

describe('IP addresses of users', () => {
  it('are filled in as the SDK allows', () => {
    const ip = (payload: object) => processItems([{ type: 'event', payload }]).rows.events?.[0]?.user_ip
    expect(ip({ platform: 'node', user: { ip_address: '{{auto}}' } })).toBe('203.0.113.7')
    expect(ip({ platform: 'node', sdk: { settings: { infer_ip: 'auto' } } })).toBe('203.0.113.7')
    expect(ip({ platform: 'javascript', sdk: { settings: { infer_ip: 'never' } } })).toBe('')
    expect(
      ip({ platform: 'javascript', user: { ip_address: '{{auto}}' }, sdk: { settings: { infer_ip: 'never' } } }),
    ).toBe('')
    expect(ip({ platform: 'node' })).toBe('')
  })
})

describe('replays', () => {
  const recording = '{"segment_id":3}\n[1]'
  it('a recording without its event is stored under the envelope id', () => {
    const { rows, blobs } = processItems([{ type: 'replay_recording', payload: recording }], {
      event_id: 'e'.repeat(32),
    })
    expect(rows.replays).toMatchObject([{ replay_id: 'e'.repeat(32), segment_id: 3, recording_bytes: 3 }])
    expect(blobs).toHaveLength(1)
  })

  it('a recording is stored even when its event is not JSON', () => {
    const { rows, outcomes } = processItems(
      [
        { type: 'replay_event', payload: '{' },
        { type: 'replay_recording', payload: recording },
      ],
      { event_id: 'e'.repeat(32) },
    )
    expect(rows.replays).toHaveLength(1)
    expect(outcomes).toMatchObject([{ category: 'replay', reason: 'invalid_json' }])
  })
})

describe('check-ins', () => {
  it('keep an id of zeros, which means the latest one', () => {
    const { rows } = processItems([
      { type: 'check_in', payload: { check_in_id: '0'.repeat(32), monitor_slug: 'm', status: 'ok', duration: 2 } },
    ])
    expect(rows.check_ins).toMatchObject([{ check_in_id: '0'.repeat(32), duration_ms: 2000 }])
  })

  it('become an outcome without a slug', () => {
    const { outcomes } = processItems([{ type: 'check_in', payload: { status: 'ok' } }])
    expect(outcomes.map(outcome => outcome.reason)).toEqual(['missing_slug'])
  })

  it.each(['missed', 'timeout', 'great'])(
    'a job that says %s of itself has an unknown state, which is counted',
    status => {
      const { rows, outcomes, monitors } = processItems([{ type: 'check_in', payload: { monitor_slug: 'm', status } }])
      expect(rows.check_ins).toMatchObject([{ status: 'unknown', environment: 'production' }])
      expect(monitors).toMatchObject([{ status: 'unknown', environment: 'production' }])
      expect(outcomes).toMatchObject([{ category: 'monitor', kind: 'invalid', reason: 'unknown_status', quantity: 1 }])
    },
  )
})

describe('attributes', () => {
  it('are left out of the map only when a column holds them', () => {
    const attributes = Object.fromEntries(
      ['sentry.op', 'sentry.segment.name', 'sentry.release', 'sentry.dist', 'sentry.origin'].map(key => [
        key,
        { value: key, type: 'string' },
      ]),
    )
    const { rows } = processItems([
      { type: 'span', payload: { items: [{ ...ids, attributes }] } },
      { type: 'log', payload: { items: [{ body: 'x', attributes }] } },
      { type: 'trace_metric', payload: { items: [{ name: 'm', value: 1, attributes }] } },
    ])
    expect(Object.keys(rows.spans?.[0]?.attributes ?? {})).toEqual(['hydrant.notes'])
    expect(Object.keys(rows.logs?.[0]?.attributes ?? {})).toEqual(['sentry.op', 'sentry.segment.name', 'sentry.dist'])
    expect(Object.keys(rows.metrics?.[0]?.attributes ?? {})).toEqual([
      'sentry.op',
      'sentry.segment.name',
      'sentry.dist',
      'sentry.origin',
    ])
  })
})

describe('other items', () => {
  it('a user report becomes feedback on its event', () => {
    const { rows } = processItems([
      {
        type: 'user_report',
        payload: { event_id: 'f'.repeat(32), name: 'Ann', email: 'a@x.example', comments: 'broken' },
      },
    ])
    expect(rows.feedback).toMatchObject([
      { source: 'user_report', message: 'broken', associated_event_id: 'f'.repeat(32) },
    ])
    expect(rows.events).toMatchObject([
      { kind: 'feedback', level: 'info', title: 'broken', user_email: 'a@x.example', user_ip: '' },
    ])
    expect(rows.events?.[0]?.event_id).toBe(rows.feedback?.[0]?.feedback_id)
  })

  it('profiles and profile chunks are stored as blobs with a row', () => {
    const chunk = {
      chunk_id: 'c'.repeat(32),
      profiler_id: 'd'.repeat(32),
      platform: 'javascript',
      release: 'r',
      profile: { samples: [{ timestamp: testNow / 1e3 - 5 }] },
    }
    const { rows, blobs } = processItems([
      { type: 'profile_chunk', payload: chunk },
      { type: 'profile', payload: { event_id: 'e'.repeat(32), transaction: { trace_id: 'a'.repeat(32) } } },
    ])
    expect(rows.profiles).toMatchObject([
      { kind: 'profile_chunk', profile_id: 'c'.repeat(32), profiler_id: 'd'.repeat(32), timestamp: testNow - 5_000 },
      { kind: 'profile', profile_id: 'e'.repeat(32), trace_id: 'a'.repeat(32) },
    ])
    expect(blobs.map(blob => blob.key)).toEqual(rows.profiles?.map(row => row.blob))
  })

  it('lone surrogates never reach the store', () => {
    const { rows } = processItems([{ type: 'event', payload: '{"message":"a\\ud83d b\\ude00 c\\ud83d\\ude00"}' }])
    expect(rows.events?.[0]?.title).toBe('a\ufffd b\ufffd c😀')
    const long = processItems([{ type: 'event', payload: { message: `${'x'.repeat(8_191)}😀` } }]).rows.events?.[0]
    expect(JSON.parse(long?.data ?? '').logentry.message.isWellFormed()).toBe(true)
  })
})

describe('a spooled body', () => {
  it('is read from its file, and attachments stay in the file', () => {
    const spoolFolder = mkdtempSync(join(tmpdir(), 'hydrant-spool-'))
    try {
      const { head, body } = makeRecord(
        [
          { type: 'event', payload: { message: 'big' } },
          { type: 'attachment', headers: { filename: 'a.bin' }, payload: Buffer.alloc(2_000_000, 7) },
        ],
        { event_id: 'a'.repeat(32) },
      )
      writeFileSync(join(spoolFolder, 'big'), body)
      const record = { head: { ...head, spool: { name: 'big', sizeBytes: body.length } }, body: Buffer.alloc(0) }
      const { rows, blobs } = processRecord(record, { ...testContext, spoolFolder })
      expect(rows.events).toHaveLength(1)
      expect(rows.attachments).toMatchObject([{ size_bytes: 2_000_000, event_id: 'a'.repeat(32) }])
      const source = blobs[0]?.source
      expect(source?.kind === 'file' && source.end - source.start).toBe(2_000_000)
    } finally {
      rmSync(spoolFolder, { recursive: true })
    }
  })
})

describe('IP addresses', () => {
  const rowsOf = (ip: string) => {
    const at = testNow / 1e3
    const attributes = { 'user.ip_address': { value: ip }, 'client.address': { value: ip } }
    return [
      { type: 'event', payload: { message: 'x', user: { ip_address: ip } } },
      {
        type: 'replay_event',
        payload: { replay_id: 'd'.repeat(32), segment_id: 0, timestamp: at, user: { ip_address: ip } },
      },
      { type: 'feedback', payload: { user: { ip_address: ip }, contexts: { feedback: { message: 'hi' } } } },
      { type: 'session', payload: { sid: 'e'.repeat(32), started: at, status: 'ok', attrs: { ip_address: ip } } },
      {
        type: 'transaction',
        payload: { user: { ip_address: ip }, start_timestamp: at - 1, timestamp: at, contexts: { trace: ids } },
      },
      {
        type: 'span',
        headers: { item_count: 1 },
        payload: { version: 2, items: [{ ...ids, name: 'x', start_timestamp: at, end_timestamp: at, attributes }] },
      },
      { type: 'log', headers: { item_count: 1 }, payload: { items: [{ timestamp: at, body: 'x', attributes }] } },
      {
        type: 'trace_metric',
        headers: { item_count: 1 },
        payload: { items: [{ timestamp: at, name: 'm', type: 'counter', value: 1, attributes }] },
      },
    ].map(item => processItems([item], { event_id: 'c'.repeat(32) }).rows)
  }

  it('have one spelling, whatever socket has seen them, so each is one user', () => {
    const plain = rowsOf('203.0.113.7')
    expect(JSON.stringify(plain).match(/203\.0\.113\.7/g)?.length).toBeGreaterThan(10)
    for (const spelling of ['::ffff:203.0.113.7', '::FFFF:cb00:7107']) expect(rowsOf(spelling)).toEqual(plain)
    expect(rowsOf('2001:0DB8:0:0:0:0:0:1')).toEqual(rowsOf('2001:db8::1'))
  })
})
