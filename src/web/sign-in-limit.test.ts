import { expect, test } from 'vitest'
import { createSignInLimit } from './sign-in-limit.ts'

test('ten wrong passwords close an account for a while, for that account only', () => {
  let now = 1_000
  const limit = createSignInLimit(() => now)
  for (let attempt = 0; attempt < 10; attempt++) limit.fail('ada@example.com', '10.0.0.1')
  expect(limit.waitMs('ada@example.com', '10.0.0.2')).toBe(600_000)
  expect(limit.waitMs('bob@example.com', '10.0.0.1')).toBe(0)
  now += 600_000
  expect(limit.waitMs('ada@example.com', '10.0.0.1')).toBe(0)
})

test('an address that tries many accounts is closed too', () => {
  const limit = createSignInLimit(() => 0)
  for (let attempt = 0; attempt < 50; attempt++) limit.fail(`user${attempt}@example.com`, '10.0.0.1')
  expect(limit.waitMs('new@example.com', '10.0.0.1')).toBeGreaterThan(0)
  expect(limit.waitMs('new@example.com', '10.0.0.2')).toBe(0)
})

test('the right password forgives the wrong ones before it', () => {
  const limit = createSignInLimit(() => 0)
  for (let attempt = 0; attempt < 9; attempt++) limit.fail('ada@example.com', '10.0.0.1')
  limit.succeed('ada@example.com')
  limit.fail('ada@example.com', '10.0.0.1')
  expect(limit.waitMs('ada@example.com', '10.0.0.1')).toBe(0)
})
