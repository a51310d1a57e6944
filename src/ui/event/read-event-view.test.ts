import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEventView } from './read-event-view.ts'

/** The event item of a recorded envelope: header, item header, payload. */
function recordedEvent(path: string): string {
  return readFileSync(new URL(`../../../test/fixtures/captures/${path}`, import.meta.url), 'utf8').split('\n')[2] ?? ''
}

test('a recorded event shows its exception with the newest call first', () => {
  const view = readEventView(recordedEvent('cli-send-event/001.body'))
  expect(view.message || view.exceptions[0]?.message).not.toBe('')
  const stored = {
    exception: {
      values: [
        { type: 'Cause', value: 'c' },
        {
          type: 'Outer',
          value: 'o',
          stacktrace: {
            frames: [
              { function: 'main' },
              { function: 'fails', lineno: 3, context_line: 'x()', pre_context: ['a', 'b'] },
            ],
          },
        },
      ],
    },
  }
  const chain = readEventView(JSON.stringify(stored)).exceptions
  expect(chain.map(each => each.type)).toEqual(['Outer', 'Cause'])
  expect(chain[0]?.frames.map(frame => frame.name)).toEqual(['fails', 'main'])
  expect(chain[0]?.frames[0]?.source.map(line => line.number)).toEqual([1, 2, 3])
})

test('a message shows the stacks that were sent with it, an error only its own', () => {
  const stacktrace = { frames: [{ function: 'main' }, { function: 'checkout', filename: 'shop/cart.py' }] }
  const threads = { values: [{ id: 1, name: 'main', crashed: true, stacktrace }, { id: 2 }] }
  const message = { logentry: { message: 'stock is low' }, stacktrace, threads }
  const { stacks } = readEventView(JSON.stringify(message))
  expect(stacks.map(({ type, message: state, frames }) => [type, state, frames[0]?.name])).toEqual([
    ['Stack of the message', '', 'checkout'],
    ['Thread main', 'crashed', 'checkout'],
  ])
  const withError = (values: object[]) =>
    readEventView(JSON.stringify({ ...message, exception: { values } })).stacks.length
  expect(withError([{ type: 'Error', stacktrace }])).toBe(0)
  expect(withError([{ type: 'SIGSEGV' }])).toBe(2)
})

test('a report of a browser is a group', () => {
  const report = { 'csp-report': { 'blocked-uri': 'http://evil.example/foo', 'line-number': 7 } }
  expect(readEventView(JSON.stringify({ report })).report?.fields).toEqual([
    { name: 'blocked-uri', value: 'http://evil.example/foo' },
    { name: 'line-number', value: '7' },
  ])
  expect(readEventView('{}').report).toBeNull()
})

test('parts of an event with an unexpected shape are left out', () => {
  for (const data of [
    '',
    'null',
    '[]',
    '{"exception":7}',
    '{"exception":{"values":[1,{"stacktrace":{"frames":"x"}}]}}',
    '{"_hydrant":{"notes":[null,{}]}}',
  ]) {
    expect(() => readEventView(data)).not.toThrow()
  }
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  expect(() => readEventView(`{"extra":${deep}}`)).not.toThrow()
})

test('notes about scrubbed fields are read', () => {
  const data = JSON.stringify({ _hydrant: { notes: [{ path: 'request.cookies', kind: 'scrubbed' }], dropped: 2 } })
  expect(readEventView(data)).toMatchObject({
    notes: [{ path: 'request.cookies', kind: 'scrubbed', detail: '' }],
    droppedNotes: 2,
  })
})

test('a stack of thousands of frames shows the latest ones and counts the rest', () => {
  const frames = Array.from({ length: 5_000 }, (_, index) => ({ function: `f${index}` }))
  const [exception] = readEventView(
    JSON.stringify({ exception: { values: [{ type: 'RangeError', stacktrace: { frames } }] } }),
  ).exceptions
  expect(exception?.frames.length).toBe(200)
  expect(exception?.frames[0]?.name).toBe('f4999')
  expect(exception?.hiddenFrames).toBe(4_800)
})

test('breadcrumbs have a kind and a time relative to the event', () => {
  const breadcrumbs = [
    { timestamp: 99, category: 'navigation', data: { from: '/cart', to: '/checkout' } },
    { timestamp: '1970-01-01T00:01:39.500Z', category: 'fetch', type: 'http', data: { url: '/api', status_code: 500 } },
    { category: 'console', level: 'error', message: 'no quote' },
  ]
  const { crumbs } = readEventView(JSON.stringify({ timestamp: 100, breadcrumbs }))
  expect(crumbs.map(({ offsetMs, kind, message, result }) => [offsetMs, kind, message, result])).toEqual([
    [-1_000, 'navigation', '/cart → /checkout', ''],
    [-500, 'network', 'GET /api', '500'],
    [null, 'error', 'no quote', ''],
  ])
})

test('flags, contexts and nested extras become rows, and empty values are left out', () => {
  const contexts = {
    flags: { values: [{ flag: 'new-cart', result: true }] },
    app: {},
    runtime: { name: 'node', type: 'runtime' },
  }
  const view = readEventView(JSON.stringify({ contexts, extra: { cart: { items: 2 } } }))
  expect(view.flags?.fields).toEqual([{ name: 'new-cart', value: 'true' }])
  expect(view.contexts).toEqual([{ title: 'runtime', fields: [{ name: 'name', value: 'node' }], hidden: 0 }])
  expect(view.extra?.fields).toEqual([{ name: 'cart', value: '{"items":2}' }])
})

test('request headers are a group of their own, whatever they contain', () => {
  const request = {
    url: 'https://shop.example/cart',
    headers: { Referer: '<b>', 'X-Odd': { deep: 1 } },
    cookies: {},
    data: 'raw',
  }
  expect(readEventView(JSON.stringify({ request })).request).toEqual([
    {
      title: 'Request',
      fields: [
        { name: 'url', value: 'https://shop.example/cart' },
        { name: 'data', value: 'raw' },
      ],
      hidden: 0,
    },
    {
      title: 'Request headers',
      fields: [
        { name: 'Referer', value: '<b>' },
        { name: 'X-Odd', value: '{"deep":1}' },
      ],
      hidden: 0,
    },
  ])
  expect(readEventView(JSON.stringify({ request: 'none' })).request).toEqual([])
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, { a: 1 }]))
  expect(readEventView(JSON.stringify({ request: many })).request).toHaveLength(9)
})

test('the members of an exception group are marked', () => {
  const one = (value: string, mechanism: object) => ({
    type: 'Error',
    value,
    mechanism: { type: 'chained', ...mechanism },
  })
  const values = [
    one('second', { exception_id: 2, parent_id: 0 }),
    one('first', { exception_id: 1, parent_id: 0 }),
    one('all failed', { exception_id: 0, is_exception_group: true }),
  ]
  const chain = readEventView(JSON.stringify({ exception: { values } })).exceptions
  expect(chain.map(({ message, isGroup }) => [message, isGroup])).toEqual([
    ['all failed', true],
    ['first', false],
    ['second', false],
  ])
})

test('reads frames of Go, which have only an absolute path, and of installed Python packages', () => {
  const frames = [
    {
      function: 'get',
      filename: 'flask/app.py',
      abs_path: '/usr/lib/python3/dist-packages/flask/app.py',
      in_app: true,
    },
    { function: 'main', module: 'main', abs_path: '/srv/shop/main.go', lineno: 14, in_app: true },
  ]
  const data = JSON.stringify({ exception: { values: [{ type: 'E', value: 'v', stacktrace: { frames } }] } })
  const [go, python] = readEventView(data).exceptions[0]?.frames ?? []
  expect(go).toMatchObject({ name: 'main', path: '/srv/shop/main.go', line: 14, isInApp: true })
  expect(python?.isInApp).toBe(false)
})

test('a request that the server failed is bad, and stays a network breadcrumb', () => {
  const request = (status_code: number) => ({ timestamp: 99, category: 'fetch', data: { url: '/', status_code } })
  const { crumbs } = readEventView(
    JSON.stringify({ timestamp: 100, breadcrumbs: [request(200), request(404), request(500), request(503)] }),
  )
  expect(crumbs.map(({ kind, isBad }) => `${kind} ${isBad}`)).toEqual([
    'network false',
    'network false',
    'network true',
    'network true',
  ])
})
