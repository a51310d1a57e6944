import { expect, test } from 'vitest'
import { readSearch } from './read-search.ts'

test('known fields and tags of a search are tinted differently', () => {
  const { tints, faults } = readSearch('level:error plan:gold broke', 'issues')
  expect(tints).toEqual([
    { start: 0, end: 11, look: 'tok' },
    { start: 12, end: 21, look: 'tok tag' },
  ])
  expect(faults).toEqual([])
})

test('a search with an error has no hints, one that may mean something else has', () => {
  expect(readSearch('is:wrong (', 'issues').faults).not.toEqual([])
  expect(readSearch('is:wrong (', 'issues').hints).toEqual([])
  expect(readSearch('browsr.name:Chrome', 'issues').hints[0]?.instead).toBe('browser.name:Chrome')
})

test('words find no events of an issue', () => {
  expect(readSearch('broke', 'events').faults[0]?.message).toContain('Search events by a field')
  expect(readSearch('broke', 'logs').faults).toEqual([])
})
