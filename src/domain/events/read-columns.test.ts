import { expect, test } from 'vitest'
import { plainUuid, readUtc, spanIdOf } from './read-columns.ts'

test('timestamps are parsed in both formats', () => {
  expect(readUtc('2026-11-13 17:17:09.868')).toBe(Date.UTC(2026, 10, 13, 17, 17, 9, 868))
  expect(readUtc('2026-11-13T17:17:09.868Z')).toBe(Date.UTC(2026, 10, 13, 17, 17, 9, 868))
})

test('ids are formatted as in URLs', () => {
  expect(plainUuid('5b5a3f3a-9540-56f9-800d-a3c01a522f89')).toBe('5b5a3f3a954056f9800da3c01a522f89')
  expect(spanIdOf('0')).toBe('')
  expect(spanIdOf('18446744073709551615')).toBe('ffffffffffffffff')
  expect(spanIdOf('255')).toBe('00000000000000ff')
})
