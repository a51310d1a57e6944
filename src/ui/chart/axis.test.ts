import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisTop, bucketAt, countAxisTop } from './axis.ts'

test.each([
  [0, 1],
  [Number.NaN, 1],
  [1, 1],
  [728, 800],
  [1_840_000, 2_000_000],
  [0.07, 0.08],
  [1_000, 1_000],
])('the axis of %d ends at %d', (max, top) => expect(axisTop(max)).toBe(top))

test('the axis of counts is above every bar and has a whole middle, if it has one', () => {
  fc.assert(
    fc.property(fc.nat(1e12), max => {
      const top = countAxisTop(max)
      expect(top).toBeGreaterThanOrEqual(max)
      expect(top).toBeLessThanOrEqual(Math.max(2, max * 1.5 + 1))
      if (top > 1) expect(Number.isInteger(top / 2)).toBe(true)
    }),
  )
})

test('every place on the chart belongs to a bucket', () => {
  expect([-0.1, 0, 0.49, 0.5, 0.99, 1, 7].map(share => bucketAt(share, 4))).toEqual([0, 0, 1, 2, 3, 3, 3])
})
