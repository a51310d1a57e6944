import { expect, test } from 'vitest'
import { readCount } from './pages.ts'

test.each([
  [null, 10],
  ['', 10],
  ['7', 7],
  ['500', 100],
  ['1e9', 100],
  ['-5', 10],
  ['0', 10],
  ['2.5', 10],
  ['Infinity', 10],
  ['many', 10],
])('reads a count of %j as %i', (text, count) => {
  expect(readCount(text, { usual: 10, max: 100 })).toBe(count)
})
