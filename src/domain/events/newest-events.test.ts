import { expect, test } from 'vitest'
import { countTags } from './newest-events.ts'

test('tags and values are sorted by frequency', () => {
  const events: [string, string][][] = [
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
  expect(countTags(events)).toEqual([
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
  const events = Array.from({ length: 40 }, (_, index): [string, string][] => [['user', `u${index % 20}`]])
  const [user] = countTags([...events, [['user', 'u7']]])
  expect(user).toMatchObject({ quantity: 41, distinct: 20, top: { 0: ['u7', 3], length: 5 } })
})

test('a tag may be named like a built-in property', () => {
  expect(countTags([[['__proto__', 'x']], [['constructor', 'y']]]).map(({ key }) => key)).toEqual([
    '__proto__',
    'constructor',
  ])
})
