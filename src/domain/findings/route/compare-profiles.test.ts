import { expect, test } from 'vitest'
import { profileRoute } from '#domain/routes/route-profile.ts'
import { around, makeSums } from '../../../../test/make-route-sums.ts'
import { isSureMove, vitalBefore } from './compare-profiles.ts'

const loads = (p75: number, count: number) => profileRoute(makeSums({ lcp: around(p75, count) }))

test('a p75 has moved for sure only if it is beyond what chance does with so many page loads', () => {
  expect(isSureMove(loads(1_000, 2_000), loads(1_300, 2_000), 'lcp')).toBe(true)
  expect(isSureMove(loads(1_300, 2_000), loads(1_000, 2_000), 'lcp')).toBe(true)
  // The same move of few page loads, and a small one of many.
  expect(isSureMove(loads(1_000, 60), loads(1_300, 60), 'lcp')).toBe(false)
  expect(isSureMove(loads(1_000, 120), loads(1_100, 120), 'lcp')).toBe(false)
  expect(isSureMove(loads(1_000, 2_000), loads(1_000, 2_000), 'lcp')).toBe(false)
})

test('a card gets the earlier p75 with it', () => {
  const before = vitalBefore(loads(1_000, 2_000), loads(1_300, 2_000), 'lcp')
  expect(before.p75).toBeCloseTo(1_000, -2)
  expect(before.isSure).toBe(true)
})
