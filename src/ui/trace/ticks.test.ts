import { expect, test } from 'vitest'
import { ticks } from './ticks.ts'

test('a ruler has round moments, few enough to be read', () => {
  expect(ticks(0, 2_310_000)).toEqual([0, 500_000, 1_000_000, 1_500_000, 2_000_000])
  expect(ticks(120, 130)).toEqual([120, 122, 124, 126, 128, 130])
  expect(ticks(5, 5)).toEqual([])
  for (const span of [1, 7, 99, 1_000, 123_456, 9e9]) expect(ticks(0, span).length).toBeLessThanOrEqual(7)
})
