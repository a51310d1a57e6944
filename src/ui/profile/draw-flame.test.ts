import { expect, test } from 'vitest'
import { boxAt, heightOf, moved, rowHeight, zoomBy, zoomByKey } from './draw-flame.ts'
import type { FlameView } from './flame-view.ts'

const view: FlameView = {
  frames: [],
  boxes: [
    [0, 0, 0, 100, 10],
    [1, 1, 20, 60, 4],
    [2, 1, 60, 90, 3],
  ],
  functions: [],
  lengthMs: 100,
  intervalMs: 10,
}
const all = { from: 0, to: 100 }

test('a place of the canvas belongs to one box', () => {
  const at = (x: number, row: number, zoom = all) => boxAt({ view, zoom, width: 1_000 }, x, row * rowHeight + 3)
  expect(at(500, 0)).toBe(0)
  expect(at(300, 1)).toBe(1)
  expect(at(700, 1)).toBe(2)
  expect(at(950, 1)).toBeNull()
  expect(at(500, 1, { from: 60, to: 90 })).toBe(2)
  expect(heightOf(view)).toBe(2 * rowHeight)
})

test('zoom and movement stay within the chart', () => {
  expect(zoomBy(all, 0.5, 0, 100)).toEqual({ from: 0, to: 50 })
  expect(zoomBy({ from: 0, to: 50 }, 4, 25, 100)).toEqual(all)
  expect(moved({ from: 0, to: 50 }, -1, 100)).toEqual({ from: 0, to: 50 })
  expect(moved({ from: 40, to: 90 }, 1, 100)).toEqual({ from: 50, to: 100 })
})

test('keys zoom, move and go to the chosen box', () => {
  expect(zoomByKey('Enter', all, 100, view.boxes[1])).toEqual({ from: 20, to: 60 })
  expect(zoomByKey('Enter', all, 100, undefined)).toBeNull()
  expect(zoomByKey('0', { from: 3, to: 4 }, 100, undefined)).toEqual(all)
  expect(zoomByKey('x', all, 100, undefined)).toBeNull()
  const { from, to } = zoomByKey('+', all, 100, undefined) ?? all
  expect(to - from).toBeLessThan(100)
})
