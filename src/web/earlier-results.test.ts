import { expect, it, test } from 'vitest'
import { earlierResults } from './earlier-results.ts'

test('results add up, and the oldest are dropped', () => {
  const first = { kind: 'done', message: '1 issue resolved.', undo: 'a' }
  expect(earlierResults(first)).toEqual([{ undo: 'a', message: '1 issue resolved.' }])
  const second = { kind: 'done', message: '2 issues archived.', undo: 'b', earlier: earlierResults(first) }
  expect(earlierResults(second).map(({ undo }) => undo)).toEqual(['a', 'b'])
  const many = Array.from({ length: 20 }, (_, index) => ({ undo: `${index}`, message: '' }))
  expect(
    earlierResults({ ...second, earlier: many })
      .map(({ undo }) => undo)
      .slice(-2),
  ).toEqual(['19', 'b'])
  expect(earlierResults({ ...second, earlier: many })).toHaveLength(20)
})

test('a result that changed nothing keeps those before it', () => {
  const earlier = [{ undo: 'a', message: 'Issue resolved.' }]
  expect(earlierResults({ kind: 'done', message: 'Issue resolved.', undo: '', earlier })).toEqual(earlier)
  expect(earlierResults({ kind: 'done', message: 'No changes.', earlier })).toEqual(earlier)
})

it.each([null, 'x', { kind: 'idle' }, { kind: 'done', message: 'Saved.' }, { kind: 'done', message: 1, undo: {} }])(
  'there are none before %j',
  previous => {
    expect(earlierResults(previous)).toEqual([])
  },
)
