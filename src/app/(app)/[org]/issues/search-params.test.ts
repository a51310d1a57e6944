import { expect, test } from 'vitest'
import { formatCursor, readIssueParams } from './search-params.ts'

test('a page of the list survives being sent as a link', () => {
  const after = { lastSeen: 1_763_000_000_000, id: 42 }
  expect(readIssueParams({ project: 'web', after: formatCursor(after) })).toEqual({ projectSlug: 'web', after })
})

test('nonsense in the address shows the first page', () => {
  for (const after of ['', '1', '-1-2', '1-2-3', "1-2'; --", '99999999999999999999-1']) {
    expect(readIssueParams({ after }).after).toBeUndefined()
  }
  expect(readIssueParams({ after: ['1-2', '3-4'], project: ['a', 'b'] })).toEqual({
    projectSlug: undefined,
    after: undefined,
  })
})
