import { expect, test } from 'vitest'
import { createGuessLimit, createSignInLimit, type SignInAttempt } from './guess-limit.ts'

const rules = { each: { limit: 3, windowMs: 1_000 }, all: { limit: 5, windowMs: 1_000 } }

function open(maxKeys?: number) {
  const clock = { now: 0 }
  const limit = createGuessLimit(rules, { now: () => clock.now, ...(maxKeys === undefined ? {} : { maxKeys }) })
  const guess = (key: string) =>
    limit.reserve([
      { rule: 'each', key, forgives: true },
      { rule: 'all', key: '' },
    ])
  return { clock, limit, guess }
}

test('guesses are counted before they are checked, so concurrent guesses cannot exceed the limit', () => {
  const { guess } = open()
  const admitted = Array.from({ length: 400 }, () => guess('ada')).filter(({ ok }) => ok)
  expect(admitted.length).toBe(3)
})

test('a rejected guess is not counted, and the window ends', () => {
  const { clock, guess } = open()
  for (let count = 0; count < 10; count++) guess('ada')
  expect([guess('bob').ok, guess('bob').ok, guess('bob').ok]).toEqual([true, true, false])
  clock.now = 999
  expect(guess('ada')).toEqual({ ok: false, waitMs: 1 })
  clock.now = 1_000
  expect(guess('ada').ok).toBe(true)
})

test('a right guess resets its own key and is not counted for the others', () => {
  const { guess } = open()
  guess('ada')
  guess('ada')
  const right = guess('ada')
  if (right.ok) right.succeed()
  expect(guess('ada').ok).toBe(true)
  expect(guess('bob').ok).toBe(true)
  expect(guess('bob').ok).toBe(true)
  expect(guess('carl').ok).toBe(false) // five wrong ones in all
})

test('a refunded guess is not counted', () => {
  const { guess } = open()
  for (let count = 0; count < 20; count++) {
    const reserved = guess('ada')
    if (reserved.ok) reserved.refund()
  }
  expect(guess('ada').ok).toBe(true)
})

test('a flood of invented keys drops the oldest counts only', () => {
  const { limit } = open(100)
  const guess = (key: string) => limit.reserve([{ rule: 'each', key }])
  for (let count = 0; count < 3; count++) guess('first')
  for (let key = 0; key < 50; key++) guess(`made-up-${key}`)
  for (let count = 0; count < 3; count++) guess('later')
  for (let key = 50; key < 110; key++) guess(`made-up-${key}`)
  expect(guess('later').ok).toBe(false)
  expect(guess('first').ok).toBe(true)
})

const ada = 'ada@example.com'
const from = (address: string, account = ada, device: string | null = null): SignInAttempt => ({
  account,
  address,
  device,
})

function fail(limit: ReturnType<typeof createSignInLimit>, attempt: SignInAttempt, times: number): void {
  for (let count = 0; count < times; count++) limit.reserve(attempt)
}

test('ten wrong passwords from one address block the account for that address only', () => {
  let now = 1_000
  const limit = createSignInLimit(() => now)
  fail(limit, from('10.0.0.1'), 10)
  expect(limit.reserve(from('10.0.0.1'))).toEqual({ ok: false, waitMs: 600_000 })
  expect(limit.reserve(from('10.0.0.2')).ok).toBe(true)
  expect(limit.reserve(from('10.0.0.1', 'bob@example.com')).ok).toBe(true)
  now += 600_000
  expect(limit.reserve(from('10.0.0.1')).ok).toBe(true)
})

test('an address that tries many accounts is blocked', () => {
  const limit = createSignInLimit(() => 0)
  for (let count = 0; count < 50; count++) limit.reserve(from('10.0.0.1', `user${count}@example.com`))
  expect(limit.reserve(from('10.0.0.1', 'new@example.com')).ok).toBe(false)
  expect(limit.reserve(from('10.0.0.2', 'new@example.com')).ok).toBe(true)
})

test('many addresses that guess one account are limited together, but a known browser can still sign in', () => {
  const limit = createSignInLimit(() => 0)
  for (let host = 0; host < 50; host++) fail(limit, from(`10.0.1.${host}`), 5)
  expect(limit.reserve(from('10.0.2.1')).ok).toBe(false)
  expect(limit.reserve(from('10.0.2.1', ada, 'laptop')).ok).toBe(true)
})

test('a known browser has its own limit of ten guesses', () => {
  const limit = createSignInLimit(() => 0)
  fail(limit, from('10.0.0.1', ada, 'laptop'), 10)
  expect(limit.reserve(from('10.0.0.1', ada, 'laptop')).ok).toBe(false)
  expect(limit.reserve(from('10.0.0.1')).ok).toBe(true)
})

test('the right password resets the count of wrong ones', () => {
  const limit = createSignInLimit(() => 0)
  fail(limit, from('10.0.0.1'), 9)
  const right = limit.reserve(from('10.0.0.1'))
  if (right.ok) right.succeed()
  fail(limit, from('10.0.0.1'), 9)
  expect(limit.reserve(from('10.0.0.1')).ok).toBe(true)
})
