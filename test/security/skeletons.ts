/** Items of every type with a value in each field that digest reads. */

const id = 'a'.repeat(32)
const spanId = 'b'.repeat(16)
const at = 1_791_000_000
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const frame = {
  filename: 'https://shop.example/_next/static/chunks/app.js',
  abs_path: 'https://shop.example/_next/static/chunks/app.js',
  function: 'Object.render',
  module: 'app/page',
  lineno: 1,
  colno: 2,
  in_app: true,
  context_line: 'const a = b()',
  pre_context: ['{'],
  post_context: ['}'],
  vars: { name: 'value' },
}
const event = {
  event_id: id,
  timestamp: at,
  platform: 'javascript',
  level: 'error',
  logger: 'shop',
  release: 'shop@1.2.3',
  environment: 'production',
  dist: '1',
  server_name: 'web-1',
  transaction: '/items/[id]',
  message: 'Cannot read properties of undefined',
  logentry: { message: 'user %s failed', params: ['ada'], formatted: 'user ada failed' },
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'Minified React error #418; visit https://react.dev/errors/418?args[]=text for the full message',
        mechanism: { type: 'onerror', handled: false, data: { digest: '123' } },
        stacktrace: { frames: [frame] },
      },
    ],
  },
  fingerprint: ['{{ default }}', 'shop'],
  tags: { page: 'home', digest: '123' },
  user: { id: '1', email: 'ada@example.com', username: 'ada', ip_address: '192.0.2.1' },
  request: {
    url: 'https://shop.example/items/1?token=abc',
    method: 'GET',
    query_string: 'a=b&token=c',
    cookies: 'session=abc',
    data: 'password=abc',
    headers: { 'User-Agent': userAgent, Cookie: 'a=b', Referer: 'https://shop.example/' },
  },
  contexts: {
    trace: { trace_id: id, span_id: spanId, op: 'pageload', status: 'ok', data: { 'http.route': '/items/[id]' } },
    browser: { name: 'Chrome', version: '140' },
    react: { componentStack: '\n    at Page (https://shop.example/app.js:1:2)' },
  },
  breadcrumbs: { values: [{ timestamp: at, category: 'fetch', message: 'GET /', data: { url: '/' } }] },
  extra: { note: 'text' },
  modules: { next: '16.0.0' },
  sdk: { name: 'sentry.javascript.nextjs', version: '10.0.0', integrations: ['React'] },
  debug_meta: { images: [{ type: 'sourcemap', code_file: 'https://shop.example/app.js', debug_id: id }] },
}
const span = {
  trace_id: id,
  span_id: spanId,
  start_timestamp: at,
  timestamp: at + 1,
  op: 'db',
  description: 'SELECT 1',
  data: { a: 'b' },
}
const attributes = {
  'user_agent.original': { value: userAgent, type: 'string' },
  'http.route': { value: '/a', type: 'string' },
}
const recording = [{ type: 4, timestamp: at * 1_000, data: { href: 'https://shop.example/' } }]

/** The size limit of an item, and a valid payload. */
export const skeletons: { type: string; maxBytes: number; payload: Json; headers?: object; before?: string }[] = [
  { type: 'event', maxBytes: 1_000_000, payload: event },
  {
    type: 'transaction',
    maxBytes: 1_000_000,
    payload: {
      ...event,
      type: 'transaction',
      start_timestamp: at - 1,
      spans: [span],
      measurements: { lcp: { value: 1, unit: 'millisecond' } },
    },
  },
  {
    type: 'span',
    maxBytes: 1_000_000,
    headers: { item_count: 1, content_type: 'application/vnd.sentry.items.span.v2+json' },
    payload: {
      version: 2,
      ingest_settings: { infer_ip: 'auto', infer_user_agent: 'auto' },
      items: [
        {
          trace_id: id,
          span_id: spanId,
          name: 'GET /',
          start_timestamp: at,
          end_timestamp: at + 1,
          status: 'ok',
          attributes,
          links: [{ trace_id: id, span_id: spanId }],
        },
      ],
    },
  },
  {
    type: 'log',
    maxBytes: 1_000_000,
    headers: { item_count: 1, content_type: 'application/vnd.sentry.items.log+json' },
    payload: {
      items: [
        { timestamp: at, trace_id: id, level: 'info', severity_number: 9, body: 'user ada signed in', attributes },
      ],
    },
  },
  {
    type: 'trace_metric',
    maxBytes: 1_000_000,
    headers: { item_count: 1, content_type: 'application/vnd.sentry.items.trace-metric+json' },
    payload: {
      items: [{ timestamp: at, trace_id: id, name: 'cart', type: 'counter', value: 1, unit: 'item', attributes }],
    },
  },
  {
    type: 'session',
    maxBytes: 1_000_000,
    payload: {
      sid: id,
      did: '1',
      init: true,
      started: '2026-11-16T12:00:00Z',
      status: 'ok',
      errors: 0,
      attrs: { release: 'shop@1', environment: 'production', user_agent: userAgent },
    },
  },
  {
    type: 'sessions',
    maxBytes: 1_000_000,
    payload: {
      aggregates: [{ started: '2026-11-16T12:00:00Z', exited: 1, did: '1' }],
      attrs: { release: 'shop@1', environment: 'production' },
    },
  },
  {
    type: 'client_report',
    maxBytes: 90_000,
    payload: { timestamp: at, discarded_events: [{ reason: 'queue_overflow', category: 'error', quantity: 1 }] },
  },
  {
    type: 'attachment',
    maxBytes: 1_000_000,
    headers: { filename: 'a.txt', content_type: 'text/plain' },
    payload: { any: 'bytes' },
  },
  {
    type: 'feedback',
    maxBytes: 1_000_000,
    payload: {
      ...event,
      contexts: {
        feedback: {
          message: 'It broke',
          name: 'Ada',
          contact_email: 'ada@example.com',
          url: 'https://shop.example/',
          replay_id: id,
          associated_event_id: id,
        },
      },
    },
  },
  {
    type: 'user_report',
    maxBytes: 1_000_000,
    payload: { event_id: id, name: 'Ada', email: 'ada@example.com', comments: 'It broke' },
  },
  {
    type: 'replay_event',
    maxBytes: 1_000_000,
    payload: {
      ...event,
      type: 'replay_event',
      replay_id: id,
      replay_type: 'session',
      segment_id: 0,
      replay_start_timestamp: at,
      urls: ['https://shop.example/'],
      error_ids: [id],
      trace_ids: [id],
    },
  },
  { type: 'replay_recording', maxBytes: 1_000_000, payload: recording, before: '{"segment_id":0}\n' },
  {
    type: 'profile',
    maxBytes: 1_000_000,
    payload: {
      event_id: id,
      version: '1',
      platform: 'node',
      timestamp: '2026-11-16T12:00:00Z',
      transaction: { id, name: '/', trace_id: id, active_thread_id: '0' },
      profile: {
        samples: [{ stack_id: 0, elapsed_since_start_ns: '1', thread_id: '0' }],
        stacks: [[0]],
        frames: [frame],
        thread_metadata: { '0': { name: 'main' } },
      },
    },
  },
  {
    type: 'profile_chunk',
    maxBytes: 1_000_000,
    payload: {
      profiler_id: id,
      chunk_id: id,
      platform: 'node',
      version: '2',
      profile: { samples: [{ stack_id: 0, timestamp: at, thread_id: '0' }], stacks: [[0]], frames: [frame] },
    },
  },
  {
    type: 'check_in',
    maxBytes: 90_000,
    payload: {
      check_in_id: id,
      monitor_slug: 'nightly',
      status: 'ok',
      duration: 1,
      environment: 'production',
      monitor_config: { schedule: { type: 'crontab', value: '0 0 * * *' }, timezone: 'UTC' },
      contexts: { trace: { trace_id: id } },
    },
  },
  ...['security', 'raw_security'].map(type => ({
    type,
    maxBytes: 1_000_000,
    payload: {
      'csp-report': {
        'document-uri': 'https://shop.example/',
        'blocked-uri': 'https://evil.example/a.js',
        'violated-directive': "script-src 'self'",
        'effective-directive': 'script-src',
        'original-policy': "default-src 'self'",
        'source-file': 'https://shop.example/a.js',
        referrer: '',
        'status-code': 200,
      },
    },
  })),
  {
    type: 'raw_security',
    maxBytes: 1_000_000,
    payload: [
      {
        type: 'network-error',
        age: 1,
        url: 'https://shop.example/',
        user_agent: userAgent,
        body: { phase: 'dns', type: 'dns.name_not_resolved', status_code: 0, referrer: '' },
      },
    ],
  },
  { type: 'statsd', maxBytes: 1_000_000, payload: 'a:1|c' },
  { type: 'form_data', maxBytes: 1_000_000, payload: { a: 'b' } },
  { type: 'hologram', maxBytes: 1_000_000, payload: { a: 'b' } },
]
