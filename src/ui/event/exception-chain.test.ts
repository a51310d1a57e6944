import { expect, test } from 'vitest'
import { formatChain } from './exception-chain.tsx'
import { readExceptions } from './read-event-view.ts'

test('formats a chain as JavaScript engines do, outermost first, causes below', () => {
  const frames = [
    { function: 'main', filename: 'a.js', lineno: 1 },
    { function: 'fails', filename: 'b.js', lineno: 3, colno: 7 },
  ]
  const values = [
    { type: 'TypeError', value: 'no id' },
    { type: 'CheckoutError', value: 'not placed', stacktrace: { frames } },
  ]
  expect(formatChain(readExceptions({ values }))).toBe(
    'CheckoutError: not placed\n    at fails (b.js:3:7)\n    at main (a.js:1)\nCaused by: TypeError: no id',
  )
})

test('formats only the latest fifty frames of a deep recursion', () => {
  const frames = Array.from({ length: 10_000 }, () => ({ function: 'again', filename: 'a.js' }))
  const text = formatChain(readExceptions({ values: [{ type: 'RangeError', value: '', stacktrace: { frames } }] }))
  expect(text.split('\n').length).toBe(52)
  expect(text).toContain('… 150 more')
})
