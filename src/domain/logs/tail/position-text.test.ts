import { expect, test } from 'vitest'
import { formatPosition, joinPositions, reaches, readPosition } from './position-text.ts'

const text = (at: number, batches: Record<string, number>) => formatPosition(new Map(Object.entries(batches)), at)

test('a position is read as it was written, and nothing else is one', () => {
  expect(readPosition(text(5, { 'a-b': 3, c: 9 }))).toEqual({
    at: 5,
    position: new Map([
      ['a-b', 3],
      ['c', 9],
    ]),
  })
  for (const wrong of ['', '5~', "5~a'.1", '5~a.1~', 'x~a.1', `5~${'a'.repeat(65)}.1`, `5~${'a.1~'.repeat(9_000)}`])
    expect(readPosition(wrong)).toBeNull()
})

test('two readers together begin where the one behind is, in each inbox', () => {
  const [one, two] = [text(20, { a: 7, b: 1 }), text(10, { a: 5, b: 4 })]
  expect(joinPositions(one, two, 'earlier')).toBe(text(10, { a: 5, b: 1 }))
  expect(joinPositions(one, two, 'later')).toBe(text(20, { a: 7, b: 4 }))
  // A node that came later: all of its lines are new to the one that does not know it.
  expect(joinPositions(text(20, { a: 7, c: 2 }), two, 'earlier')).toBe(text(10, { a: 5, c: 0, b: 0 }))
  expect([reaches(one, two), reaches(one, text(30, { a: 7 })), reaches(one, text(5, {}))]).toEqual([false, true, true])
})
