/** Events as older SDKs and those of other platforms send them. */
import { describe, expect, it } from 'vitest'
import { explainGrouping } from '#grouping/explain-grouping.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { makeRecord, testContext, testNow } from '../../../../test/make-record.ts'
import { processRecord } from '../../process-record.ts'

function store(payload: object, envelope: object = {}) {
  const { rows, groupedEvents } = processRecord(makeRecord([{ type: 'event', payload }], envelope), testContext)
  const [row] = rows.events ?? []
  const [grouped] = groupedEvents
  if (row === undefined || grouped === undefined) throw new Error('no event was stored')
  return { row, grouped, event: JSON.parse(row.data) as StoredEvent }
}

describe('a stack beside its error, as Elixir sends it', () => {
  const failed = (...names: string[]) => ({
    platform: 'elixir',
    exception: [{ type: 'RuntimeError', value: 'boom', module: null }],
    stacktrace: {
      frames: names.map(name => ({
        filename: 'lib/shop.ex',
        function: name,
        module: 'Elixir.Shop',
        lineno: 7,
        in_app: true,
      })),
    },
  })

  it('is the stack of the error', () => {
    const { event, row } = store(failed('A.a/0', 'B.b/0'))
    expect(event.exception?.values[0]?.stacktrace?.frames.map(frame => frame.function)).toEqual(['A.a/0', 'B.b/0'])
    expect(event.stacktrace).toBeUndefined()
    expect(row.culprit).toBe('B.b/0 (Elixir.Shop)')
    expect(row.group_hash).not.toBe(store(failed('Other.o/0')).row.group_hash)
  })

  it('was ignored by the older versions, so their issues continue', () => {
    const [one, two] = [store(failed('A.a/0')), store(failed('Other.o/0'))]
    expect(one.grouped.groupFallbacks).toEqual(two.grouped.groupFallbacks)
    expect(explainGrouping(one.event, 1)?.parts.map(({ kind }) => kind)).toEqual(['type', 'message'])
  })

  it('stays where it is if the error has frames, or if there are several errors', () => {
    const { exception, ...rest } = failed('A.a/0')
    const own = { ...exception[0], stacktrace: { frames: [{ function: 'own', in_app: true }] } }
    const framesOf = (values: object[]) =>
      store({ ...rest, exception: values }).event.exception?.values.map(each => each.stacktrace?.frames.length ?? 0)
    expect(framesOf([own])).toEqual([1])
    expect(framesOf([...exception, ...exception])).toEqual([0, 0])
  })
})

describe('fields named after classes, as clients before 2017 send them', () => {
  it('are the fields of today', () => {
    const { event, row } = store({
      'sentry.interfaces.Exception': { values: [{ type: 'A', value: 'b' }] },
      'sentry.interfaces.Http': { url: 'https://shop.example/cart', method: 'GET' },
      'sentry.interfaces.User': { id: 7, email: 'ada@shop.example' },
      'sentry.interfaces.Breadcrumbs': { values: [{ message: 'opened the cart' }] },
    })
    expect(row).toMatchObject({ title: 'A: b', url: 'https://shop.example/cart', user_id: '7', kind: 'error' })
    expect(event.breadcrumbs).toHaveLength(1)
    expect(Object.keys(event).filter(name => name.startsWith('sentry.'))).toEqual([])
  })

  it('group by message and stack like those', () => {
    const message = store({ 'sentry.interfaces.Message': { message: 'stock of %s is low', params: ['tea'] } }).row
    expect(message.title).toBe('stock of tea is low')
    expect(message.group_hash).toBe(store({ logentry: { message: 'stock of %s is low' } }).row.group_hash)
    const frames = [{ function: 'pay', module: 'cart', in_app: true }]
    const stack = store({ 'sentry.interfaces.Stacktrace': { frames } }).row
    expect(stack.group_hash).toBe(store({ stacktrace: { frames } }).row.group_hash)
  })

  it('do not replace a field that is there', () => {
    expect(store({ message: 'new', logentry: 'kept', 'sentry.interfaces.Message': 'old' }).row.title).toBe('kept')
  })
})

describe('a stack without an error', () => {
  it('names the culprit, as Python sends it with a message', () => {
    const frames = [
      { function: 'main', filename: 'shop/run.py', module: 'shop.run' },
      { function: 'checkout', filename: 'shop/cart.py', lineno: 12 },
    ]
    const sent = { platform: 'python', logentry: { message: 'stock is low' }, logger: 'shop.stock' }
    expect(store({ ...sent, threads: { values: [{ current: true, stacktrace: { frames } }] } }).row.culprit).toBe(
      'checkout (shop/cart.py)',
    )
    expect(store({ ...sent, stacktrace: { frames: [{ function: 7, filename: null }] } }).row.culprit).toBe('7 ()')
  })
})

describe('the logger', () => {
  it('is a tag, unless the app sets one of that name', () => {
    expect(store({ message: 'x', logger: 'shop.stock' }).row.tags).toEqual({ logger: 'shop.stock' })
    expect(store({ message: 'x', logger: 'shop.stock', tags: { logger: 'own' } }).row.tags).toEqual({ logger: 'own' })
    expect(store({ message: 'x' }).row.tags).toEqual({})
  })
})

describe('an event older than what is kept', () => {
  const old = { message: 'x', timestamp: 1_560_000_000 }

  it('counts as of now if the client does not say when it sent the event', () => {
    const { row, event } = store(old)
    expect(row.timestamp).toBe(testNow)
    expect(event._hydrant?.notes).toContainEqual({
      path: 'timestamp',
      kind: 'clamped',
      detail: '1560000000, so the time of receipt is used',
    })
  })

  it('has its own time if the client’s clock is known', () => {
    const minute = 60_000
    expect(
      store(
        { ...old, timestamp: (Date.parse('2019-06-08T13:00:00Z') - minute) / 1e3 },
        { sent_at: '2019-06-08T13:00:00Z' },
      ).row.timestamp,
    ).toBe(testNow - minute)
  })

  it('within what is kept has its own time', () => {
    expect(store({ ...old, timestamp: testNow / 1e3 - 86_400 }).row.timestamp).toBe(testNow - 86_400_000)
  })
})

describe('headers as lists, as PHP sends them', () => {
  it('are joined, and name the browser', () => {
    const agent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
    const headers = { 'User-Agent': [agent], Accept: ['text/html', 'image/webp'], Host: 'shop.example' }
    const { row, event } = store({ platform: 'php', message: 'x', request: { headers } })
    expect(event.request?.headers).toEqual({
      'User-Agent': agent,
      Accept: 'text/html, image/webp',
      Host: 'shop.example',
    })
    expect(row).toMatchObject({ browser_name: 'Chrome', os_name: 'Linux' })
  })
})
