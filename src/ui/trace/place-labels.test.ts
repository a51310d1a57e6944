import { expect, test } from 'vitest'
import { placeLabels } from './place-labels.ts'

const placed = (...shares: number[]) =>
  placeLabels(shares.map(atShare => ({ atShare }))).map(({ items, side, atShare }) => ({
    items: items.map(item => item.atShare),
    side,
    atShare,
  }))

test('labels with room begin where their moments are', () => {
  expect(placed(0.4, 0.1)).toEqual([
    { items: [0.1], side: 'begin', atShare: 0.1 },
    { items: [0.4], side: 'begin', atShare: 0.4 },
  ])
})

test('labels that would hide each other stand together', () => {
  expect(placed(0.1, 0.2)).toEqual([{ items: [0.1, 0.2], side: 'begin', atShare: 0.1 }])
})

test('a label at the right edge ends there, and takes along the one that it would cover', () => {
  expect(placed(0.41, 0.73, 1)).toEqual([
    { items: [0.41], side: 'begin', atShare: 0.41 },
    { items: [0.73, 1], side: 'end', atShare: 1 },
  ])
})

test('a group that grows takes along whom it then reaches', () => {
  expect(placed(0.5, 0.73, 1)).toEqual([{ items: [0.5, 0.73, 1], side: 'end', atShare: 1 }])
})
