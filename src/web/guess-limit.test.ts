import { expect, test } from 'vitest'
import { createGuessLimit } from './guess-limit.ts'

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
