import { expect, test } from 'vitest'
import { describeOutcome } from './outcome-label.ts'

test('a drop is named as Sentry does, with its reason', () => {
  expect(describeOutcome({ outcome: 'rate_limited', reason: 'key_quota' })).toEqual({
    label: 'rate limited',
    short: 'limit',
    reason: 'key_quota',
  })
})

test('what is counted although it is not stored does not look lost', () => {
  expect(describeOutcome({ outcome: 'invalid', reason: 'duplicate' }).label).toBe('duplicate')
  expect(describeOutcome({ outcome: 'filtered', reason: 'skew-sampled' })).toMatchObject({ label: 'sampled' })
  expect(describeOutcome({ outcome: 'filtered', reason: 'constructor' }).reason).toBe('constructor')
})
