import { expect, test } from 'vitest'
import { placeLabels, ticks } from './ruler.tsx'
import { scaleTime } from './time-scale.ts'

const placed = (...shares: number[]) =>
  placeLabels(shares.map(atShare => ({ atShare }))).map(({ items, side, atShare }) => ({
    items: items.map(item => item.atShare),
    side,
    atShare,
  }))

test('labels with enough room start at their time', () => {
  expect(placed(0.4, 0.1)).toEqual([
    { items: [0.1], side: 'begin', atShare: 0.1 },
    { items: [0.4], side: 'begin', atShare: 0.4 },
  ])
})

test('labels that would overlap form a group', () => {
  expect(placed(0.1, 0.2)).toEqual([{ items: [0.1, 0.2], side: 'begin', atShare: 0.1 }])
})

test('a label at the right edge ends there and joins the one it would cover', () => {
  expect(placed(0.3, 0.73, 1)).toEqual([
    { items: [0.3], side: 'begin', atShare: 0.3 },
    { items: [0.73, 1], side: 'end', atShare: 1 },
  ])
})

test('a group that grows joins the labels it then reaches', () => {
  expect(placed(0.5, 0.73, 1)).toEqual([{ items: [0.5, 0.73, 1], side: 'end', atShare: 1 }])
})

test('a ruler has at most seven ticks at round times', () => {
  const between = (fromUs: number, toUs: number) =>
    ticks({ fromUs, toUs }, scaleTime({ kind: [0], start: [0], duration: [toUs], wholeUs: toUs }))
  expect(between(0, 2_310_000)).toEqual([0, 500_000, 1_000_000, 1_500_000, 2_000_000])
  expect(between(120, 130)).toEqual([120, 122, 124, 126, 128, 130])
  expect(between(5, 5)).toEqual([])
  for (const span of [1, 7, 99, 1_000, 123_456, 9e9]) expect(between(0, span).length).toBeLessThanOrEqual(7)
})
