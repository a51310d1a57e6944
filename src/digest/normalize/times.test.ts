import { expect, test } from 'vitest'
import { sampleRate } from './times.ts'

test.each([
  [0.25, 0.25],
  [1, 1],
  [0, 1],
  [-1, 1],
  [2, 1],
  ['x', 1],
  // Zero in 32 bits.
  [1e-46, 1],
])('a sample rate of %s is %s', (sent, rate) => {
  expect(sampleRate(sent)).toBe(rate)
})
