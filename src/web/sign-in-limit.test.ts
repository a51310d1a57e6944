import { expect, test } from 'vitest'
import { createSignInLimit, type SignInAttempt } from './sign-in-limit.ts'

const ada = 'ada@example.com'
const from = (address: string, account = ada, device: string | null = null): SignInAttempt => ({
  account,
  address,
  device,
})

function fail(limit: ReturnType<typeof createSignInLimit>, attempt: SignInAttempt, times: number): void {
  for (let count = 0; count < times; count++) limit.reserve(attempt)
}

test('ten wrong passwords from one address close the account for that address, and nobody else', () => {
  let now = 1_000
  const limit = createSignInLimit(() => now)
  fail(limit, from('10.0.0.1'), 10)
  expect(limit.reserve(from('10.0.0.1'))).toEqual({ ok: false, waitMs: 600_000 })
  expect(limit.reserve(from('10.0.0.2')).ok).toBe(true)
  expect(limit.reserve(from('10.0.0.1', 'bob@example.com')).ok).toBe(true)
  now += 600_000
  expect(limit.reserve(from('10.0.0.1')).ok).toBe(true)
})

test('an address that tries many accounts is closed too', () => {
  const limit = createSignInLimit(() => 0)
  for (let count = 0; count < 50; count++) limit.reserve(from('10.0.0.1', `user${count}@example.com`))
  expect(limit.reserve(from('10.0.0.1', 'new@example.com')).ok).toBe(false)
  expect(limit.reserve(from('10.0.0.2', 'new@example.com')).ok).toBe(true)
})

test('many addresses that guess one account together are slowed down, and a known browser still gets in', () => {
  const limit = createSignInLimit(() => 0)
  for (let host = 0; host < 50; host++) fail(limit, from(`10.0.1.${host}`), 5)
  expect(limit.reserve(from('10.0.2.1')).ok).toBe(false)
  expect(limit.reserve(from('10.0.2.1', ada, 'laptop')).ok).toBe(true)
})

test('a known browser has ten guesses of its own', () => {
  const limit = createSignInLimit(() => 0)
  fail(limit, from('10.0.0.1', ada, 'laptop'), 10)
  expect(limit.reserve(from('10.0.0.1', ada, 'laptop')).ok).toBe(false)
  expect(limit.reserve(from('10.0.0.1')).ok).toBe(true)
})

test('the right password forgives the wrong ones before it', () => {
  const limit = createSignInLimit(() => 0)
  fail(limit, from('10.0.0.1'), 9)
  const right = limit.reserve(from('10.0.0.1'))
  if (right.ok) right.succeed()
  fail(limit, from('10.0.0.1'), 9)
  expect(limit.reserve(from('10.0.0.1')).ok).toBe(true)
})
