import { expect, test } from 'vitest'
import { formatSearch } from '#search/search-term.ts'
import { readIssueSearch } from './issue-language.ts'

function read(query: string): string {
  const parsed = readIssueSearch(query)
  return parsed.ok ? formatSearch(parsed.terms) : parsed.message
}

test("Sentry's search keys and states are those of the search box", () => {
  expect(read('is:ignored issue.priority:high userCount:>5 error.type:TypeError')).toBe(
    'is:archived priority:high users:>5 type:TypeError',
  )
  expect(read('is:unresolved AND assigned_or_suggested:me')).toBe('is:unresolved assigned:me')
  expect(read('(level:error OR level:info) is:for_review')).toBe(
    '(level:error OR level:info) is:[new,regressed,escalating]',
  )
})

test('errors quote the invalid part', () => {
  expect(read('is:broken x')).toContain('"is:broken" is not valid')
  expect(read('level:error OR')).toBe('"OR" is not valid. OR needs a term on each side.')
  expect(read('bookmarks:me')).toContain('There are no bookmarks.')
})
