import { expect, it } from 'vitest'
import { addHistograms, binOf, quantileOf, shareAbove } from './log-histogram.ts'

const histogramOf = (values: number[]) => addHistograms(values.map(value => ({ bins: [binOf(value)], counts: [1] })))

it('a quantile is within 1.1 % of the true one, whatever the unit', () => {
  for (const scale of [0.0004, 1, 80, 3_000_000]) {
    const values = Array.from({ length: 1_000 }, (_, index) => scale * (1 + index / 100))
    for (const level of [0.5, 0.75, 0.95]) {
      const truth = values[Math.ceil(level * values.length) - 1] ?? 0
      const found = quantileOf(histogramOf(values), level) ?? 0
      expect(Math.abs(found / truth - 1)).toBeLessThan(0.0111)
    }
  }
})

it('a quantile is on the same side of a bound as the true one', () => {
  const bounds = [2_500, 4_000]
  for (const value of [2_450, 2_499.9, 2_500, 2_500.1, 2_520, 3_999, 4_000, 4_000.5]) {
    const found = quantileOf(addHistograms([{ bins: [binOf(value, bounds)], counts: [8] }]), 0.75, bounds) ?? 0
    for (const bound of bounds) expect(found <= bound, `${value} → ${found}`).toBe(value <= bound)
  }
  // A bound may be where a bin begins.
  expect(quantileOf({ bins: [binOf(0.25, [0.25])], counts: [1] }, 0.75, [0.25])).toBeLessThanOrEqual(0.25)
  expect(quantileOf({ bins: [binOf(0.2501, [0.25])], counts: [1] }, 0.75, [0.25])).toBeGreaterThan(0.25)
})

it('bins of older versions are read and merged with new ones', () => {
  const old = { bins: [160, 168], counts: [1, 3] } // 1 to 1.09, 2 to 2.18
  expect(quantileOf(old, 0.75)).toBeCloseTo(2.09, 2)
  expect(quantileOf(addHistograms([old, { bins: [binOf(50)], counts: [1] }]), 0.5)).toBeLessThan(2.2)
})

it('two merged halves have the quantile of the whole', () => {
  const values = Array.from({ length: 500 }, (_, index) => 7 + index ** 1.3)
  const halves = [histogramOf(values.slice(0, 170)), histogramOf(values.slice(170))]
  expect(quantileOf(addHistograms(halves), 0.75)).toBe(quantileOf(histogramOf(values), 0.75))
})

it('an empty histogram has no quantile, and one of zeros has 0', () => {
  expect(quantileOf({ bins: [], counts: [] }, 0.75)).toBeNull()
  expect(quantileOf(histogramOf([0, 0, 0, 0.3]), 0.75)).toBe(0)
  expect(binOf(Number.NaN)).toBe(0)
})

it('the same values have the same quantile, however many smaller ones there are', () => {
  for (const value of [0.3, 200, 800, 4_321]) {
    const bounds = [200, 800]
    const p75 = (smaller: number) =>
      quantileOf(
        addHistograms([
          { bins: [binOf(value, bounds)], counts: [8] },
          { bins: [binOf(value / 2, bounds)], counts: [smaller] },
        ]),
        0.75,
        bounds,
      )
    expect(p75(2)).toBe(p75(0))
    expect(Math.abs((p75(0) ?? 0) / value - 1)).toBeLessThan(0.0111)
  }
})

it('the share above the p75 is about a quarter, and above the ends all or none', () => {
  const histogram = histogramOf(Array.from({ length: 1_000 }, (_, index) => 500 + index))
  expect(shareAbove(histogram, quantileOf(histogram, 0.75) ?? 0)).toBeCloseTo(0.25, 1)
  expect(shareAbove(histogram, 1)).toBe(1)
  expect(shareAbove(histogram, 5_000)).toBe(0)
  expect(shareAbove(histogramOf([0, 0, 0, 0.3]), 0)).toBe(0.25)
  expect(shareAbove({ bins: [], counts: [] }, 1)).toBe(0)
})
