import { expect, it } from 'vitest'
import { addHistograms, binOf, quantileOf } from './log-histogram.ts'

const histogramOf = (values: number[]) => addHistograms(values.map(value => ({ bins: [binOf(value)], counts: [1] })))

it('a quantile is within 5 % of the true one, whatever the unit', () => {
  for (const scale of [0.0004, 1, 80, 3_000_000]) {
    const values = Array.from({ length: 1_000 }, (_, index) => scale * (1 + index / 100))
    for (const level of [0.5, 0.75, 0.95]) {
      const truth = values[Math.ceil(level * values.length) - 1] ?? 0
      const found = quantileOf(histogramOf(values), level) ?? 0
      expect(Math.abs(found / truth - 1)).toBeLessThan(0.05)
    }
  }
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
