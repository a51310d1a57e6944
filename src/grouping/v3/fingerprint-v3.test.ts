import { describe, expect, it } from 'vitest'
import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'
import { makeError, makeEvent, makeFrame } from '../../../test/make-event.ts'
import { explainGrouping } from '../explain-grouping.ts'
import { groupEvent } from '../group-event.ts'

const hash = (event: StoredEvent) => groupEvent(event).hash
const partsOf = (event: StoredEvent) => explainGrouping(event)?.parts.map(({ kind, value }) => `${kind} ${value}`)

describe('scripts directly below an origin', () => {
  const at = (filename: string) =>
    hash(makeError('Error', 'x', [{ in_app: true, filename, function: 'pay', lineno: 1, colno: 4 }]))

  it('are the same on every host', () => {
    expect(at('https://preview-7.shop.example/index.js')).toBe(at('https://www.shop.example/index.js'))
    expect(at('https://www.shop.example:8443/index.js?v=2')).toBe(at('https://www.shop.example/index.js'))
  })

  it('keep their folder', () => {
    expect(at('https://www.shop.example/cart/index.js')).not.toBe(at('https://www.shop.example/index.js'))
    expect(at('https://b.shop.example/cart/index.js')).toBe(at('https://www.shop.example/cart/index.js'))
  })
})

describe('a line of code that is too long to be compared', () => {
  const click = (value: string, chars: number) =>
    makeError('Error', value, [makeFrame({ function: 'onClick', context_line: `<b>${'a'.repeat(chars)}</b>` })])

  it('leaves the decision to the message', () => {
    expect(hash(click('Dialog error', 300))).not.toBe(hash(click('With attachment', 300)))
    expect(hash(click('Dialog 1 failed', 300))).toBe(hash(click('Dialog 25 failed', 300)))
    expect(hash(click('Dialog error', 20))).toBe(hash(click('With attachment', 20)))
    expect(explainGrouping(click('Dialog error', 300))?.ignored).toContainEqual({
      what: 'line of code',
      why: 'it is too long to be compared, so the message counts',
    })
  })

  it('counts as long where the SDK has cut it', () => {
    const cut = (value: string) => makeError('Error', value, [makeFrame({ context_line: '{snip} pay(order) {snip}' })])
    expect(hash(cut('one'))).not.toBe(hash(cut('two')))
  })

  it('that is missing leaves it to the function', () => {
    const bare = (value: string) => makeError('Error', value, [makeFrame({ context_line: '' })])
    expect(hash(bare('one'))).toBe(hash(bare('two')))
  })
})

describe('files of a build that hold only libraries', () => {
  const own: Frame = { in_app: true, filename: '/srv/app/.output/server/_ssr/data-ymJvz2XN.mjs', function: 'readStock' }
  const through = (...files: string[]) =>
    makeError('Error', 'Stock is not known', [
      ...files.map(filename => ({ in_app: true, filename, function: 'handle' })),
      own,
    ])
  const libraries = [
    '/srv/app/.output/server/_ssr/ssr.mjs',
    '/srv/app/.output/server/_libs/@tanstack/router-core+[...].mjs',
    'http://localhost:5173/node_modules/.vite/deps/react-dom_client.js?v=1a2b3c4d',
    '<anonymous>',
    'index 1',
  ]

  it('do not decide about the issue', () => {
    for (const file of libraries) expect([file, hash(through(file))]).toEqual([file, hash(through())])
    expect(hash(through('/srv/app/.output/server/_ssr/action-BkCHaad-.mjs'))).not.toBe(hash(through()))
  })

  it('are not the culprit', () => {
    for (const filename of libraries) {
      const event = makeError('Error', 'x', [own, { in_app: true, filename, function: 'handle' }])
      expect(groupEvent(event).culprit).toContain('readStock')
    }
  })
})

describe('groups of errors in groups', () => {
  const group = (id: number, parent?: number): ExceptionValue => ({
    type: 'AggregateException',
    value: 'One or more errors occurred.',
    mechanism: { is_exception_group: true, exception_id: id, ...(parent === undefined ? {} : { parent_id: parent }) },
  })
  const inside = (id: number, parent: number, type: string): ExceptionValue => ({
    type,
    value: 'x',
    mechanism: { exception_id: id, parent_id: parent },
  })
  const chain = (...values: ExceptionValue[]) => makeEvent({ exception: { values: values.toReversed() } })
  const flat = chain(group(0), inside(1, 0, 'TimeoutError'), inside(2, 0, 'PaymentError'))

  it('are reduced to the errors', () => {
    const nested = chain(group(0), group(1, 0), group(2, 1), inside(3, 2, 'TimeoutError'), inside(4, 1, 'PaymentError'))
    expect(hash(nested)).toBe(hash(flat))
    expect(explainGrouping(nested)?.ignored.filter(({ what }) => what === 'AggregateException').length).toBe(2)
  })

  it('vanish around errors that are all the same', () => {
    const nested = chain(group(0), group(1, 0), inside(2, 1, 'TimeoutError'), inside(3, 0, 'TimeoutError'))
    expect(hash(nested)).toBe(hash(makeError('TimeoutError', 'x')))
  })

  it('with other errors are another issue', () => {
    expect(hash(chain(group(0), group(1, 0), inside(2, 1, 'TimeoutError'), inside(3, 0, 'CardError')))).not.toBe(
      hash(flat),
    )
  })

  it('keep the causes of each error', () => {
    const caused = (cause: string) => chain(group(0), group(1, 0), inside(2, 1, 'TimeoutError'), inside(3, 2, cause))
    expect(hash(caused('SocketError'))).not.toBe(hash(caused('DnsError')))
  })

  it('take linear time', () => {
    const deep = chain(...Array.from({ length: 50 }, (_, id) => group(id, id === 0 ? undefined : id - 1)))
    expect(hash(deep)).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('hydration errors without frames of the app', () => {
  const react: Frame = { in_app: false, filename: '/node_modules/react-dom/client.js', function: 'throwOnMismatch' }
  const seen = (transaction: string, frames: Frame[]) => ({
    ...makeError('Error', "Hydration failed because the server rendered HTML didn't match the client.", frames),
    transaction,
  })

  it('are one issue per route, readable or not', () => {
    expect(hash(seen('/cart', [react]))).not.toBe(hash(seen('/items/:id', [react])))
    expect(hash(seen('/cart', [react]))).toBe(hash(seen('/cart', [])))
    expect(partsOf(seen('/cart', [react]))?.at(-1)).toBe('route /cart')
  })
})

describe('a checksum of the app', () => {
  it('is the group, whatever the event contains', () => {
    const summed = (checksum: unknown, message: string) => hash(makeEvent({ checksum, logentry: { message } }))
    expect(summed('a1', 'one')).toBe(summed('a1', 'two'))
    expect(summed('a1', 'one')).not.toBe(summed('b2', 'one'))
    expect(summed(null, 'one')).toBe(summed({}, 'one'))
  })
})

it('the parts of version 3 never have the hash of an older version', () => {
  const event = makeError('Error', 'cart is empty')
  const { version, hash: current, fallbacks } = groupEvent(event)
  expect(version).toBe(3)
  expect(fallbacks.map(key => key.version)).toEqual([1])
  expect(fallbacks[0]?.hash).not.toBe(current)
  expect(explainGrouping(event, 1)?.parts).toEqual(explainGrouping(event)?.parts)
})

it('a fingerprint of the app keeps its hash', () => {
  expect(groupEvent({ ...makeEvent(), fingerprint: ['checkout'] })).toMatchObject({ version: 1, fallbacks: [] })
})
