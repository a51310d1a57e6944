import { expect, test } from 'vitest'
import { shorten } from './shorten.ts'

test('a long text is cut and says how much is missing', () => {
  expect(shorten('abc', 3)).toBe('abc')
  expect(shorten('a'.repeat(1_000_000), 10)).toBe('aaaaaaaaaa… (999,990 more characters)')
})
