import { expect, it } from 'vitest'
import { readPairs } from './read-pairs.ts'

it.each([
  [
    'a=1&b=two+words&c',
    [
      ['a', '1'],
      ['b', 'two words'],
      ['c', ''],
    ],
  ],
  ['?a=%3D', [['a', '=']]],
  [
    [
      ['a', '1'],
      ['a', 2],
    ],
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
  [
    { a: '1', b: ['x', 'y'] },
    [
      ['a', '1'],
      ['b', 'x, y'],
    ],
  ],
  ['', []],
  [7, null],
])('the query %j is %j', (given, pairs) => {
  expect(readPairs(given, '&')).toEqual(pairs)
})

it('cookies are separated by semicolons', () => {
  expect(readPairs('a=1; b=2=3; c;', ';')).toEqual([
    ['a', '1'],
    ['b', '2=3'],
    ['c', ''],
  ])
})
