import { expect, test } from 'vitest'
import { readDevice, signDevice } from './sign-in.ts'

test('a device cookie is valid for its account and installation only', () => {
  const cookie = signDevice('secret', 'ada@example.com')
  expect(readDevice('secret', 'ada@example.com', cookie)).toBe(cookie.slice(0, 24))
  expect(readDevice('secret', 'bob@example.com', cookie)).toBeNull()
  expect(readDevice('other', 'ada@example.com', cookie)).toBeNull()
})

test('a forged device cookie is invalid', () => {
  for (const cookie of [undefined, '', '.', `${'a'.repeat(24)}.${'0'.repeat(64)}`])
    expect(readDevice('secret', 'ada@example.com', cookie)).toBeNull()
})
