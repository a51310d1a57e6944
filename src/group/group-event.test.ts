import { describe, expect, it } from 'vitest'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { groupEvent } from './group-event.ts'
import { chunkName } from './v1/chunk-name.ts'
import { parametrise } from './v1/parametrise.ts'

const base: StoredEvent = {
  event_id: 'a'.repeat(32),
  timestamp: 0,
  level: 'error',
  platform: 'node',
  tags: {},
  contexts: {},
}
const thrown = (type: string, value: string, frames: Frame[]): StoredEvent => ({
  ...base,
  exception: { values: [{ type, value, stacktrace: { frames } }] },
})
const frame = (fields: Frame): Frame => ({
  in_app: true,
  filename: '/srv/app/cart.js',
  module: 'cart',
  function: 'pay',
  ...fields,
})
const hash = (event: StoredEvent) => groupEvent(event).hash

describe('errors fall into one group', () => {
  it('when only line numbers and the message differ', () => {
    const one = thrown('Error', 'order 1 failed', [frame({ lineno: 1, context_line: '  pay(order)' })])
    const two = thrown('Error', 'order 2 failed', [frame({ lineno: 99, context_line: 'pay(order) ' })])
    expect(hash(one)).toBe(hash(two))
  })

  it('when a deploy gave their chunks new hashes', () => {
    const chunk = (name: string) =>
      thrown('TypeError', 'x', [{ in_app: true, filename: `app:///_next/static/chunks/${name}`, function: 'onClick' }])
    expect(hash(chunk('3hzl-0c-pszdd.js'))).toBe(hash(chunk('40ud6my3h6ugk.js')))
    expect(hash(chunk('app/items/[id]/page-6e3f2a1b9c8d7e6f.js'))).not.toBe(
      hash(chunk('app/cart/page-6e3f2a1b9c8d7e6f.js')),
    )
  })

  it('when only frames of libraries differ, or a recursion is deeper', () => {
    const library = frame({ in_app: false, function: 'emit', module: 'events' })
    const one = thrown('Error', 'x', [library, frame({}), frame({})])
    expect(hash(one)).toBe(hash(thrown('Error', 'x', [frame({}), frame({}), frame({}), frame({})])))
  })

  it('when a message differs in ids only', () => {
    const message = (text: string): StoredEvent => ({ ...base, logentry: { message: text } })
    expect(hash(message('user 12 from 10.0.0.1 gone'))).toBe(hash(message('user 345 from 10.9.8.7 gone')))
  })
})

describe('errors are told apart', () => {
  it('by type, by function and by the chain of causes', () => {
    const one = thrown('Error', 'x', [frame({})])
    expect(hash(one)).not.toBe(hash(thrown('TypeError', 'x', [frame({})])))
    expect(hash(one)).not.toBe(hash(thrown('Error', 'x', [frame({ function: 'refund' })])))
    const chained: StoredEvent = {
      ...one,
      exception: { values: [{ type: 'ZodError', value: 'y' }, ...(one.exception?.values ?? [])] },
    }
    expect(hash(one)).not.toBe(hash(chained))
  })

  it('by message where the stack names nothing but a file', () => {
    const bare = (value: string) =>
      thrown('Error', value, [{ in_app: true, filename: '/srv/run.js', module: 'run', function: '?' }])
    expect(hash(bare('inside span'))).not.toBe(hash(bare('request failed')))
  })

  it('by message where the SDK attached the stack', () => {
    const synthetic = (value: string): StoredEvent => ({
      ...base,
      exception: {
        values: [
          {
            type: 'Error',
            value,
            mechanism: { type: 'generic', synthetic: true },
            stacktrace: { frames: [frame({})] },
          },
        ],
      },
    })
    expect(hash(synthetic('one'))).not.toBe(hash(synthetic('two')))
  })
})

describe('a fingerprint of the SDK', () => {
  const event = thrown('Error', 'x', [frame({})])
  it('replaces ours', () => {
    expect(groupEvent({ ...event, fingerprint: ['checkout'] }).parts).toEqual(['checkout'])
    expect(hash({ ...event, fingerprint: ['{{ default }}'] })).toBe(hash(event))
  })
  it('may contain ours and variables', () => {
    const parts = groupEvent({
      ...event,
      transaction: 'GET /',
      fingerprint: ['{{default}}', '{{ transaction }}', '{{ error.type }}!'],
    }).parts
    expect(parts).toEqual([...groupEvent(event).parts, 'GET /', 'Error!'])
  })
})

describe('titles', () => {
  it.each<[string, StoredEvent]>([
    ['Error: x', thrown('Error', 'x\nsecond line', [])],
    ['hello', { ...base, logentry: { message: 'hello' } }],
    ['user bob gone', { ...base, logentry: { message: 'user %s gone', formatted: 'user bob gone' } }],
    [
      'plain',
      {
        ...base,
        logentry: { message: 'plain' },
        exception: { values: [{ value: 'plain', mechanism: { synthetic: true } }] },
      },
    ],
    ['only a value', { ...base, exception: { values: [{ value: 'only a value' }] } }],
    ['<no message>', base],
  ])('%s', (title, event) => {
    expect(groupEvent(event).title).toBe(title)
  })
})

describe('parts', () => {
  it.each([
    ['user 42 not found', 'user <number> not found'],
    ['at 2026-11-15T00:22:04.548Z', 'at <date>'],
    ['GET https://x.example/a?b=1 failed', 'GET <url> failed'],
    ['mail to a.b@example.com', 'mail to <email>'],
    ['id 0123456789abcdef0123456789abcdef', 'id <uuid>'],
    ['commit 3f2a91c', 'commit <hex>'],
    ['took 12.5ms', 'took <duration>'],
    ['Minified React error #418', 'Minified React error #418'],
    ['facade decade', 'facade decade'],
  ])('%s → %s', (message, expected) => {
    expect(parametrise(message)).toBe(expected)
  })

  it.each([
    ['app:///_next/static/chunks/3hzl-0c-pszdd.js', '_next/static/chunks/<chunk>'],
    ['app:///_next/server/chunks/_041b34b51eccf._.js', '_next/server/chunks/<chunk>'],
    ['app:///_next/static/chunks/main-app-1a2b3c4d5e6f.js', '_next/static/chunks/main-app'],
    [
      'https://shop.example/_next/static/chunks/pages/legacy/[slug]-0f9e8d7c6b5a.js?dpl=1',
      '_next/static/chunks/pages/legacy/[slug]',
    ],
  ])('%s is %s', (file, expected) => {
    expect(chunkName(file)).toBe(expected)
  })
})
