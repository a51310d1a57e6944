import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ticks } from './ruler.tsx'
import { scaleTime } from './time-scale.ts'

const trace = (...spans: [start: number, duration: number][]) => ({
  kind: spans.map(() => 0),
  start: spans.map(([start]) => start),
  duration: spans.map(([, duration]) => duration),
  wholeUs: Math.max(...spans.map(([start, duration]) => start + duration)),
})

test('a long wait between two spans is drawn short and keeps its length in print', () => {
  const scale = scaleTime(trace([0, 700_000], [14_700_000, 300_000]))
  expect(scale.gaps).toEqual([{ fromUs: 700_000, toUs: 14_700_000, drawnAtUs: 700_000, drawnUs: 50_000 }])
  expect(scale.wholeUs).toBe(1_050_000)
  expect(scale.draw(700_000)).toBe(700_000)
  expect(scale.draw(14_700_000)).toBe(750_000)
  expect(scale.undraw(scale.wholeUs)).toBe(15_000_000)
})

test('without an idle gap the drawing is to scale', () => {
  for (const spans of [
    [
      [0, 15_000_000],
      [14_000_000, 10],
    ],
    [
      [0, 100],
      [900_000, 100],
    ],
    [
      [0, 10_000_000],
      [11_100_000, 20_000_000],
    ],
  ] as [number, number][][]) {
    const scale = scaleTime(trace(...spans))
    expect(scale.gaps).toEqual([])
    expect(scale.draw(12_345)).toBe(12_345)
  }
})

test('drawing is monotone and undone exactly, for any spans', () => {
  const span = fc.tuple(fc.nat(100_000_000), fc.nat(2_000_000))
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 20 }), fc.nat(100_000_000), (spans, us) => {
      const columns = trace(...spans)
      const scale = scaleTime(columns)
      const at = Math.min(us, columns.wholeUs)
      expect(scale.undraw(scale.draw(at))).toBeCloseTo(at, 0)
      expect(scale.draw(at + 1)).toBeGreaterThan(scale.draw(at))
      expect(scale.draw(columns.wholeUs)).toBeCloseTo(scale.wholeUs, 0)
    }),
  )
})

test('ticks are round in real time, and none is in a gap', () => {
  const scale = scaleTime(trace([0, 700_000], [14_700_000, 300_000]))
  const found = ticks({ fromUs: 0, toUs: scale.wholeUs }, scale)
  expect(found).toEqual([0, 200_000, 400_000, 600_000, 14_800_000, 15_000_000])
})
