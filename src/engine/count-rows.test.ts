import { expect, test } from 'vitest'
import { countRows } from './count-rows.ts'

test.each([
  ['', 0],
  ['[1]', 1],
  ['[1]\n[2]\n', 2],
  ['\n[1]\n\n[2]', 2],
])('%j has its rows counted', (text, count) => {
  expect(countRows(Buffer.from(text))).toBe(count)
})
