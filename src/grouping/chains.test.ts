import { describe, expect, it } from 'vitest'
import type { ExceptionValue, StoredEvent } from '#protocol/event.ts'
import { growthOf, linearGrowth } from '../../test/growth-of.ts'
import { makeError, makeEvent, makeFrame } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { explainGrouping } from './explain-grouping.ts'
import { groupEvent } from './group-event.ts'

const hash = (event: StoredEvent) => groupEvent(event).hash
const chain = (...values: ExceptionValue[]) => makeEvent({ exception: { values } })
const typesOf = (event: StoredEvent) =>
  explainGrouping(event)
    ?.parts.filter(({ kind }) => kind === 'type')
    .map(({ value }) => value)

describe('causes', () => {
  it('are hashed together with the errors they caused', () => {
    expect(typesOf(readEvent('node-handled-cause/002'))).toEqual(['TypeError', 'PaymentError', 'Error'])
  })
})

describe('aggregate errors', () => {
  const inside = (id: number, type: string, value = 'x'): ExceptionValue => ({
    type,
    value,
    mechanism: { type: 'chained', source: `errors[${id - 1}]`, exception_id: id, parent_id: 0 },
  })
  const group = (...errors: ExceptionValue[]) =>
    chain(...errors.toReversed(), {
      type: 'AggregateError',
      value: 'all failed',
      mechanism: { type: 'generic', is_exception_group: true, exception_id: 0 },
    })

  it('keep each different error of a recorded event', () => {
    expect(typesOf(readEvent('node-handled-cause/004'))).toEqual(['RangeError', 'Error', 'AggregateError'])
  })

  it('are the same however often one error is repeated', () => {
    const two = group(inside(1, 'Error'), inside(2, 'RangeError'))
    expect(hash(group(inside(1, 'Error'), inside(2, 'RangeError'), inside(3, 'RangeError')))).toBe(hash(two))
    expect(hash(two)).not.toBe(hash(group(inside(1, 'Error'), inside(2, 'SyntaxError'))))
  })

  it('with one kind of error group like that error', () => {
    const many = group(inside(1, 'Error', 'timeout after 5s'), inside(2, 'Error', 'timeout after 9s'))
    expect(typesOf(many)).toEqual(['Error'])
    expect(hash(many)).toBe(hash(makeError('Error', 'timeout after 7s')))
    expect(explainGrouping(many)?.ignored.map(({ what }) => what)).toContain('AggregateError')
  })

  it('accept ids that form a cycle or are missing', () => {
    const circle = chain(
      { type: 'A', value: '1', mechanism: { is_exception_group: true, exception_id: 1, parent_id: 2 } },
      { type: 'B', value: '2', mechanism: { is_exception_group: true, exception_id: 2, parent_id: 1 } },
      { type: 'C', value: '3', mechanism: { is_exception_group: true } },
    )
    expect(hash(circle)).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('recursion', () => {
  const deep = (depth: number, ...names: string[]) => [
    makeFrame({ function: 'main' }),
    ...Array.from({ length: depth }, (_, at) => makeFrame({ function: names[at % names.length] ?? '', lineno: at })),
  ]
  it('counts once at any depth', () => {
    expect(hash(makeError('Error', 'x', deep(3, 'walk')))).toBe(hash(makeError('Error', 'x', deep(200, 'walk'))))
    expect(hash(makeError('Error', 'x', deep(4, 'walk', 'visit')))).toBe(
      hash(makeError('Error', 'x', deep(100, 'walk', 'visit'))),
    )
  })

  it('without end is one issue, whichever function overflows the stack', () => {
    const overflow = (type: string, value: string, depth: number) =>
      hash(makeError(type, value, deep(depth, 'walk', 'visit', 'enter')))
    const first = overflow('RangeError', 'Maximum call stack size exceeded', 120)
    expect(overflow('RangeError', 'Maximum call stack size exceeded', 121)).toBe(first)
    expect(overflow('InternalError', 'too much recursion', 122)).toBe(first)
  })

  it('of 10,000 frames takes linear time', () => {
    const shapes = [
      (depth: number) => deep(depth, 'walk'),
      (depth: number) => deep(depth, 'walk', 'visit'),
      (depth: number) => Array.from({ length: depth }, (_, at) => makeFrame({ function: `step${at}` })),
    ]
    for (const frames of shapes) {
      const events = new Map([1_250, 10_000].map(depth => [depth, makeError('Error', 'x', frames(depth))]))
      const group = (depth: number) => groupEvent(events.get(depth) ?? expect.unreachable())
      expect(growthOf(group, 1_250)).toBeLessThan(linearGrowth)
    }
  })
})
