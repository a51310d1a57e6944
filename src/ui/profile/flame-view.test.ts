import { expect, test } from 'vitest'
import { formatSampled } from './flame-view.ts'

test('times are as exact as the samples', () => {
  expect(formatSampled(593, 10)).toBe('590 ms')
  expect(formatSampled(3, 10)).toBe('< 10 ms')
  expect(formatSampled(0, 10)).toBe('0 ms')
  expect(formatSampled(1_234, 16)).toBe('1.23 s')
  expect(formatSampled(7, 1)).toBe('7 ms')
})
