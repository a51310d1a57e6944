import { describe, expect, it } from 'vitest'
import { expectedRows as expected } from '../../test/fixtures/expected-rows.ts'
import { listCaptures, listScenarios, readCapture } from '../../test/read-capture.ts'
import { processRecord } from './process-record.ts'

const processCapture = (capture: string) =>
  processRecord(readCapture(capture), {
    recordId: capture,
    retentionDays: { errors: 90, rest: 30 },
    spoolFolder: '/nowhere',
  })

describe('every recorded request', () => {
  it('has its scenario in the table', () => {
    expect(listScenarios()).toEqual(Object.keys(expected).sort())
  })

  it.each(Object.entries(expected))('of %s becomes the rows it should', (scenario, counts) => {
    const found: Record<string, number> = {}
    const add = (key: string, quantity: number) => {
      found[key] = (found[key] ?? 0) + quantity
    }
    for (const capture of listCaptures(scenario)) {
      const { rows, outcomes, faults } = processCapture(capture)
      for (const [table, list] of Object.entries(rows)) add(table, list.length)
      for (const { kind, quantity } of outcomes) add(kind, quantity)
      expect(faults).toEqual([])
    }
    expect(found).toEqual(counts)
  })

  it('gives the same result when it is processed again', () => {
    for (const scenario of listScenarios()) {
      for (const capture of listCaptures(scenario)) expect(processCapture(capture)).toEqual(processCapture(capture))
    }
  })
})

describe('key columns of events', () => {
  const node = { platform: 'node', os_name: 'Debian', environment: 'capture', sdk_name: 'sentry.javascript.node' }
  const browser = { platform: 'javascript', browser_name: 'Chrome', os_name: 'Linux', user_ip: '203.0.113.7' }
  const server = { platform: 'node', browser_name: 'Chrome', os_name: 'Linux', user_ip: '127.0.0.1', is_handled: false }
  it.each([
    [
      'node-error/002',
      {
        ...node,
        kind: 'error',
        title: 'Error: Uncaught-like error for order 12345',
        is_handled: true,
        timestamp: 1794702124522,
        trace_id: '86703bfcf97e4247a5b73304605832ce',
        span_id: BigInt('0xa9fda22190409b18').toString(),
      },
    ],
    [
      'node-unhandled/002',
      { ...node, kind: 'error', level: 'fatal', is_handled: false, mechanism: 'auto.node.onuncaughtexception' },
    ],
    [
      'node-handled-cause/003',
      {
        ...node,
        kind: 'message',
        level: 'info',
        type: '',
        title: 'Plain message with id 778899',
        user_id: 'u1',
        user_email: 'a@example.com',
        user_name: 'alice',
        user_ip: '203.0.113.7',
        tags: { tenant: 'acme' },
      },
    ],
    ['node-handled-cause/004', { ...node, type: 'AggregateError' }],
    [
      'cli-send-event/001',
      {
        event_id: 'dce09844c95d48e884be7dbca2c470b0',
        kind: 'message',
        title: 'cli event x',
        user_name: 'root',
        user_ip: '203.0.113.7',
      },
    ],
    [
      'next-client-errors/008',
      {
        ...browser,
        type: 'TypeError',
        route: '/',
        mechanism: 'auto.browser.global_handlers.onerror',
        is_handled: false,
        url: 'http://127.0.0.1:9200/',
      },
    ],
    ['next-client-errors/012', { ...browser, kind: 'message', level: 'warning', title: 'browser message' }],
    ['next-client-errors/019', { ...server, route: '/api/fail', route_raw: '/api/fail', culprit: 'POST /api/fail' }],
    ['next-server-action/012', { ...server, route: '', route_raw: 'serverAction/submitOrder' }],
    ['next-server-component-error/004', { ...server, route: '/boom' }],
    ['next-hydration/003', { ...browser, route: '/hydration', is_handled: false }],
    ['next-replay/011', { ...browser, replay_id: '9b0bf414728341df8bac5e8db3f37fda' }],
  ] as const)('%s', (capture, columns) => {
    const { rows, dedupeId, groupedEvents } = processCapture(capture)
    expect(rows.events?.[0]).toMatchObject(columns)
    expect(dedupeId).toBe(rows.events?.[0]?.event_id)
    expect(groupedEvents[0]).toMatchObject({ groupHash: rows.events?.[0]?.group_hash, projectId: 42 })
  })
})

describe('key columns of spans', () => {
  const allSpans = (scenario: string) =>
    listCaptures(scenario).flatMap(capture => processCapture(capture).rows.spans ?? [])
  const segments = (scenario: string) => allSpans(scenario).filter(span => span.is_segment)

  it('a server route and a browser route of the same page have one name', () => {
    const routes = segments('next-navigation').filter(span => span.route === '/items/[id]')
    expect(new Set(routes.map(span => span.name))).toEqual(new Set(['GET /items/[id]', '/items/:id']))
  })

  it('requests of a route have method, status and URL', () => {
    const failed = segments('next-route-handler').find(span => span.name === 'POST /api/fail')
    expect(failed).toMatchObject({
      method: 'POST',
      status_code: 500,
      status: 'error',
      op: 'http.server',
      segment_source: 'route',
      url: 'http://127.0.0.1:9200/api/fail',
      browser_name: 'Chrome',
      platform: 'node',
    })
  })

  it('prefetches and the requests of the SDK itself are marked', () => {
    const spans = allSpans('next-pageload')
    expect(spans.filter(span => span.is_prefetch)).toHaveLength(13)
    expect(spans.filter(span => span.is_sdk_transport)).toHaveLength(3)
    expect(
      segments('next-navigation')
        .filter(span => span.op === 'navigation')
        .every(span => !span.is_prefetch),
    ).toBe(true)
  })

  it('web vitals are numbers on the span that measured them', () => {
    const pageload = segments('next-pageload').find(span => span.op === 'pageload')
    expect(pageload?.numbers['browser.web_vital.fcp.value']).toBeGreaterThan(0)
    expect(pageload?.platform).toBe('javascript')
  })

  it('a span whose SDK mistook milliseconds for seconds stays near its trace', () => {
    const span = allSpans('next-pageload-param').find(each => each.name === 'NextNodeServer.clientComponentLoading')
    expect(span?.duration_us).toBe(422_629)
    expect(span?.attributes['hydrant.notes']).toContain('clamped start_timestamp')
  })

  it('a transaction and streamed spans of the same app give the same columns', () => {
    const columns = (scenario: string) =>
      allSpans(scenario)
        .map(
          ({
            name,
            op,
            origin,
            status,
            route,
            route_raw,
            segment_name,
            is_segment,
            method,
            status_code,
            environment,
          }) => ({
            name: name.replace(/GET (http:\/\/)?127\.0\.0\.1.*/, 'GET 127.0.0.1'),
            op,
            origin,
            status,
            route,
            route_raw,
            segment_name,
            is_segment,
            method,
            status_code,
            environment,
          }),
        )
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    expect(columns('node-static-tracing')).toEqual(columns('node-tracing'))
  })

  it('children of a transaction have its segment', () => {
    const spans = allSpans('node-static-tracing')
    const segment = spans.find(span => span.is_segment)
    expect(spans.map(span => span.segment_id)).toEqual(spans.map(() => segment?.span_id))
    expect(spans.filter(span => !span.is_segment).every(span => span.data === '')).toBe(true)
    expect(JSON.parse(segment?.data ?? '')).not.toHaveProperty('spans')
  })
})

describe('key columns of everything else', () => {
  it('sessions of browsers and of servers have their counts and status', () => {
    expect(processCapture('next-hydration/002').rows.sessions?.[0]).toMatchObject({
      status: 'unhandled',
      errors: 1,
      is_init: true,
      browser_name: 'Chrome',
      release: 'web@1.0.0',
    })
    expect(processCapture('node-sessions/003').rows.sessions).toMatchObject([
      { status: 'exited', quantity: 3, started: Date.parse('2026-11-15T00:22:00Z') },
      { status: 'crashed', quantity: 1 },
    ])
  })

  it('check-ins have the slug of their monitor and its schedule', () => {
    const start = processCapture('node-checkin/001')
    expect(start.rows.check_ins?.[0]).toMatchObject({ monitor_slug: 'nightly-report', status: 'in_progress' })
    expect(JSON.parse(start.monitors[0]?.config ?? '')).toMatchObject({
      schedule: { type: 'crontab', value: '0 3 * * *' },
    })
    const heartbeat = processCapture('node-checkin/005')
    expect(heartbeat.rows.check_ins?.[0]).toMatchObject({ status: 'ok', duration_ms: 1500 })
    expect(heartbeat.monitors[0]?.config).toBeNull()
  })

  it('logs keep template, numbers and order', () => {
    const logs = processCapture('node-logs/001').rows.logs ?? []
    expect(logs.map(log => log.level)).toEqual(['trace', 'debug', 'info', 'info', 'warn', 'error', 'fatal'])
    expect(logs[3]).toMatchObject({
      body: 'Order 123 shipped to Zurich',
      template: 'Order %s shipped to %s',
      numbers: { total: 12.5, n: 3, 'sentry.message.parameter.0': 123 },
      server_name: 'capture-host',
      timestamp: 1794702128952085,
    })
    expect(logs[3]?.attributes).toMatchObject({ ok: 'true', 'sentry.message.parameter.1': 'Zurich' })
  })

  it('metrics keep kind, value and unit', () => {
    expect(processCapture('node-metrics/001').rows.metrics).toMatchObject([
      { kind: 'counter', name: 'orders.created', value: 1, attributes: { plan: 'pro' } },
      { kind: 'counter', value: 3 },
      { kind: 'gauge', name: 'queue.depth', value: 42, unit: 'none' },
      { kind: 'distribution', name: 'response.time', value: 187.5, unit: 'millisecond' },
    ])
  })

  it('feedback keeps its message and the event it belongs to, and is an event of its own', () => {
    const { rows, groupedEvents } = processCapture('node-feedback/001')
    expect(rows.feedback?.[0]).toMatchObject({
      message: 'The button is broken',
      contact_email: 'a@example.com',
      contact_name: 'Alice',
      associated_event_id: '25e88a09ef2c4148942fcf62313016ff',
    })
    expect(rows.events?.[0]).toMatchObject({
      event_id: rows.feedback?.[0]?.feedback_id,
      kind: 'feedback',
      level: 'info',
      title: 'The button is broken',
      user_email: 'a@example.com',
    })
    expect(groupedEvents).toMatchObject([{ kind: 'feedback', noise: [], serverError: null }])
  })

  it('attachments are stored as blobs with a row', () => {
    const { rows, blobs } = processCapture('node-attachment/002')
    expect(rows.attachments).toMatchObject([
      { filename: 'log.txt', content_type: 'text/plain', size_bytes: 16, event_id: rows.events?.[0]?.event_id },
      { filename: 'bin.dat', size_bytes: 5 },
    ])
    expect(blobs.map(blob => blob.key)).toEqual(rows.attachments?.map(row => row.blob))
    expect(blobs[0]?.key).toMatch(/^attachment\/2026-11-15\/42\/[0-9a-f]{32}$/)
  })

  it('a replay segment is one row and the recording without its header line', () => {
    const { rows, blobs, dedupeId } = processCapture('next-replay/007')
    expect(rows.replays).toMatchObject([{ segment_id: 0, replay_type: 'session', recording_bytes: 2368 }])
    const source = blobs[0]?.source
    expect(source?.kind === 'bytes' && source.bytes[0]).toBe(0x78)
    // Every segment carries the replay's id: dropping the second as a duplicate would lose the replay.
    expect(dedupeId).toBeNull()
  })
})
