import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dispersionOf, effectiveSize, rateRatio, ratioInterval, shareInterval } from './confidence.ts'

test('a share of few has a wide interval, of many a narrow one, and it is never outside of 0 and 1', () => {
  expect(shareInterval(4, 4, 3.3).low).toBeLessThan(0.3)
  expect(shareInterval(4_000, 4_000, 3.3).low).toBeGreaterThan(0.99)
  expect(shareInterval(0, 0, 3.3)).toEqual({ low: 0, high: 1 })
  fc.assert(
    fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 10_000 }), (hits, size) => {
      const { low, high } = shareInterval(Math.min(hits, size), size, 4)
      const share = Math.min(hits, size) / size
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      expect(low).toBeLessThanOrEqual(share + 1e-12)
      expect(high).toBeGreaterThanOrEqual(share - 1e-12)
    }),
  )
})

test('the known Wilson interval of 10 out of 100', () => {
  const { low, high } = shareInterval(10, 100, 1.96)
  expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.0552', '0.1744'])
})

test('the ratio of two rates has their exposures in it, and bursts make it less certain', () => {
  const rate = { count: 40, exposure: 2 }
  const base = { count: 100, exposure: 20 }
  expect(rateRatio(rate, base)).toBe(4)
  const sure = ratioInterval(rate, base, { z: 3.3, dispersion: 1 })
  const unsure = ratioInterval(rate, base, { z: 3.3, dispersion: 10 })
  expect(sure.low).toBeGreaterThan(2)
  expect(unsure.low).toBeLessThan(1)
  expect(sure.low).toBeLessThan(4)
  expect(sure.high).toBeGreaterThan(4)
})

test('events where there were none have a finite lower bound', () => {
  const { low, high } = ratioInterval({ count: 30, exposure: 1 }, { count: 0, exposure: 1 }, { z: 3.3, dispersion: 1 })
  expect(low).toBeGreaterThan(2)
  expect(low).toBeLessThan(30)
  expect(high).toBe(Number.POSITIVE_INFINITY)
})

test('unequal weights are worth fewer observations', () => {
  expect(effectiveSize([1, 1, 1, 1])).toBe(4)
  expect(effectiveSize([1_000, 1, 1])).toBeCloseTo(1, 1)
  expect(effectiveSize([])).toBe(0)
})

test('bursts have more variance than mean, steady counts do not', () => {
  expect(dispersionOf([2, 2, 2, 2])).toBe(1)
  expect(dispersionOf([0, 0, 0, 40])).toBe(40)
  expect(dispersionOf([])).toBe(1)
})
