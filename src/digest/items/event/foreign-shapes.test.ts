/** Events as older SDKs and those of other platforms send them. */
import { describe, expect, it } from 'vitest'
import { explainGrouping } from '#grouping/explain-grouping.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { makeRecord, testContext } from '../../../../test/make-record.ts'
import { processRecord } from '../../process-record.ts'

function store(payload: object) {
  const { rows, groupedEvents } = processRecord(makeRecord([{ type: 'event', payload }]), testContext)
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
