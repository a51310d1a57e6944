import { expect, test } from 'vitest'
import { countTags } from './newest-events.ts'

type Pairs = [string, string][]
const weighing = (weight: number, events: Pairs[]) => events.map(pairs => ({ pairs, weight }))

test('tags and values are sorted by frequency', () => {
  const events: Pairs[] = [
    [
      ['browser', 'Chrome'],
      ['plan', 'free'],
    ],
    [['browser', 'Firefox']],
    [
      ['browser', 'Chrome'],
      ['plan', 'free'],
    ],
  ]
  expect(countTags(weighing(1, events))).toEqual([
    {
      key: 'browser',
      quantity: 3,
      distinct: 2,
      top: [
        ['Chrome', 2],
        ['Firefox', 1],
      ],
    },
    { key: 'plan', quantity: 2, distinct: 1, top: [['free', 2]] },
  ])
})

test('only the most frequent of many values are listed, the others are counted', () => {
  const events = Array.from({ length: 40 }, (_, index): Pairs => [['user', `u${index % 20}`]])
  const [user] = countTags(weighing(1, [...events, [['user', 'u7']]]))
  expect(user).toMatchObject({ quantity: 41, distinct: 20, top: { 0: ['u7', 3], length: 5 } })
})

test('a tag may be named like a built-in property', () => {
  expect(countTags(weighing(1, [[['__proto__', 'x']], [['constructor', 'y']]])).map(({ key }) => key)).toEqual([
    '__proto__',
    'constructor',
  ])
})

test('an event of a sample counts as those that it represents, and a linked event not at all', () => {
  const events = [
    ...weighing(10, [[['plan', 'business']]]),
    ...weighing(1, [[['plan', 'free']]]),
    ...weighing(0, [[['plan', 'free']], [['side', 'browser']], [['side', 'browser']]]),
  ]
  expect(countTags(events)).toEqual([
    {
      key: 'plan',
      quantity: 11,
      distinct: 2,
      top: [
        ['business', 10],
        ['free', 1],
      ],
    },
    // Only linked events have it: each counts as one.
    { key: 'side', quantity: 2, distinct: 1, top: [['browser', 2]] },
  ])
})
