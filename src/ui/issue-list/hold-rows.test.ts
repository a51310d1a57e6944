import { expect, test } from 'vitest'
import { holdAll, holdRows, nearestRow } from './hold-rows.ts'

const at = 1_000
const row = (id: number, lastSeen = at - id) => ({ id, lastSeen })
const rowsOf = (...ids: number[]) => ids.map(id => row(id))
const none: ReadonlySet<number> = new Set()
const idsOf = ({ rows }: { rows: { id: number }[] }) => rows.map(({ id }) => id)

test('rows keep their order while their counts change, also one that the newest list lacks', () => {
  const held = holdAll(rowsOf(1, 2, 3), at)
  const next = holdRows(held, [row(3, at + 5), row(1)], none)
  expect(idsOf(next)).toEqual([1, 2, 3])
  expect(next.rows[2]?.lastSeen).toBe(at + 5)
})

test('a new issue is announced and not shown', () => {
  const next = holdRows(holdAll(rowsOf(1, 2), at), [row(9, at + 1), ...rowsOf(1, 2)], none)
  expect(idsOf(next)).toEqual([1, 2])
  expect(next.fresh).toBe(1)
})

test('a row that the viewer has changed leaves with the first list that lacks it, and not before', () => {
  const held = holdAll(rowsOf(1, 2, 3), at)
  expect(idsOf(holdRows(held, rowsOf(1, 2, 3), new Set([2])))).toEqual([1, 2, 3])
  expect(idsOf(holdRows(held, rowsOf(1, 3), new Set([2])))).toEqual([1, 3])
})

test('after Undo a row is back in its place, the first one too', () => {
  const changed = new Set([1, 2, 3])
  expect(idsOf(holdRows(holdAll(rowsOf(1, 3), at), rowsOf(1, 2, 3), changed))).toEqual([1, 2, 3])
  expect(idsOf(holdRows(holdAll(rowsOf(3, 4), at), rowsOf(1, 2, 3, 4), changed))).toEqual([1, 2, 3, 4])
  // The row above it is news and not shown.
  const next = holdRows(holdAll(rowsOf(1, 4), at), [row(1), row(9, at + 1), row(2), row(4)], changed)
  expect(idsOf(next)).toEqual([1, 2, 4])
  expect(next.fresh).toBe(1)
})

test('rows of the next page follow at the end', () => {
  const next = holdRows(holdAll(rowsOf(1, 2, 3), at), rowsOf(1, 3, 4), new Set([2]))
  expect(idsOf(next)).toEqual([1, 3, 4])
  expect(next.fresh).toBe(0)
  expect(idsOf(holdRows(holdAll(rowsOf(1), at), rowsOf(2, 3), new Set([1])))).toEqual([2, 3])
})

test('after Undo, rows of the next page are there again', () => {
  const changed = new Set([2])
  const { rows, followers } = holdRows(holdAll(rowsOf(1, 2, 3), at), rowsOf(1, 3, 4), changed)
  expect(idsOf(holdRows({ rows, at, followers }, rowsOf(1, 2, 3), changed))).toEqual([1, 2, 3])
})

test('what holdRows gives stays as it is with the same list', () => {
  const newest = [row(1), row(9, at + 1), row(2), row(4)]
  const once = holdRows(holdAll(rowsOf(1, 3, 4), at), newest, new Set([2, 3]))
  expect(holdRows({ ...once, at }, newest, new Set([2, 3]))).toEqual(once)
})

test('an empty list shows what arrives', () => {
  expect(idsOf(holdRows(holdAll([], at), [row(9, at + 1)], none))).toEqual([9])
})

test('the cursor goes to the next row that stays, at the end to the previous one', () => {
  const staying = (...ids: number[]) => nearestRow([1, 2, 3, 4], 3, id => ids.includes(id))
  expect(staying(1, 2, 4)).toBe(4)
  expect(staying(1, 2)).toBe(2)
  expect(staying()).toBeNull()
  expect(nearestRow([1, 2], 7, () => true)).toBe(1)
})
