import { expect, test } from 'vitest'
import { settleWithin } from './timing.ts'

test('a value in time is returned; a failure or timeout is null', async () => {
  expect(await settleWithin(Promise.resolve(7), 1_000)).toBe(7)
  expect(await settleWithin(Promise.reject(new Error('down')), 1_000)).toBeNull()
  expect(await settleWithin(new Promise(() => undefined), 5)).toBeNull()
})
