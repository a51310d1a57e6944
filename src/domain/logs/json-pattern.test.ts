import { expect, test } from 'vitest'
import { maskJson } from './json-pattern.ts'

const json = (value: unknown) => maskJson(JSON.stringify(value))

test.each([
  [
    'pino',
    { level: 30, time: 1790000000000, pid: 7, hostname: 'web-1', msg: 'request completed' },
    'request completed',
  ],
  ['winston', { level: 'info', message: 'order 55213 placed', service: 'shop' }, 'order <*> placed'],
  ['bunyan', { name: 'shop', v: 0, level: 50, msg: 'cart 12 locked' }, 'cart <*> locked'],
  ['structlog', { event: 'order_placed', id: 12, user: 'Ada', express: true }, 'order_placed'],
  [
    'an error beside a message',
    { err: { type: 'CardError', message: 'no' }, msg: 'request failed' },
    'request failed: CardError',
  ],
  ['an error alone', { error: { name: 'TypeError', message: 'no stock for 12' } }, 'TypeError: no stock for <*>'],
  ['Elastic’s dots', { '@timestamp': 'x', message: 'refused', 'error.type': 'CardError' }, 'refused: CardError'],
  ['a message in a message', { message: { msg: 'cache warmed', took: 7 } }, 'cache warmed'],
  ['Docker around pino', { log: '{"msg":"user deleted","id":7}\n', stream: 'stdout' }, 'user deleted'],
  ['an event beside a message', { event: 'payment', msg: 'refused by bank' }, 'payment: refused by bank'],
  [
    'neither: its keys',
    { order: 55213, state: 'paid', express: false, tags: ['a'], at: null },
    '{"order":<*>,"state":<*>,"express":<*>,"tags":<*>,"at":<*>}',
  ],
  ['what is a kind', { type: 'order', action: 'created', id: 12 }, '{"type":"order","action":"created","id":<*>}'],
  ['keys that are values', { items: { 'sku-17': 2, 'sku-18': 1 } }, '{"items":{<*>:<*>}}'],
  ['a message that is only a value', { msg: '4711', kind: 'tick' }, '{"msg":<*>,"kind":"tick"}'],
])('%s', (_, line, text) => {
  expect(json(line)).toBe(text)
})

test('other messages are other patterns, whatever their keys; other values are the same', () => {
  const line = (msg: string, express: boolean) => json({ level: 30, time: Math.PI, msg, express })
  expect(line('payment refused by bank', true)).not.toBe(line('database connection lost', true))
  expect(line('cache warmed', true)).toBe(line('cache warmed', false))
})

test('a message beyond the first thousand characters is read', () => {
  expect(json({ req: { headers: 'x'.repeat(5_000) }, msg: 'request completed' })).toBe('request completed')
})

test.each(['order {"id":7} placed', '{"id":7', '[1,2]', '"text"', '7', '{}', '', '{not json}'])(
  '%s is no line of JSON',
  line => {
    expect(maskJson(line)).toBeNull()
  },
)

test('hostile lines cost little and give a short text', () => {
  const deep = `${'{"log":'.repeat(2_000)}1${'}'.repeat(2_000)}`
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => ['k'.repeat(index % 7) + index, 1])),
  )
  const quoted = Array.from({ length: 10 }).reduce<string>(
    inner => JSON.stringify({ log: inner }).slice(0, 16_000),
    '{"msg":"x"}',
  )
  for (const line of [deep, wide, quoted]) expect((maskJson(line) ?? '').length).toBeLessThanOrEqual(1_000)
})
