import { expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { formatSearch } from '#search/search-term.ts'
import { readIssueSearch } from './issue-language.ts'

const viewer = {
  projects: [
    { id: 1, slug: 'web' },
    { id: 2, slug: 'api' },
  ],
} as unknown as Viewer

function read(query: string): { words: string; projectIds: number[] | undefined } | string {
  const parsed = readIssueSearch(viewer, query)
  return parsed.ok ? { words: formatSearch(parsed.terms), projectIds: parsed.projectIds } : parsed.message
}

test("Sentry's search keys are mapped to Hydrant's", () => {
  expect(read('is:ignored issue.priority:high userCount:>5 error.type:TypeError')).toMatchObject({
    words: 'is:archived priority:high users:>5 type:TypeError',
  })
  expect(read('is:unresolved AND assigned_or_suggested:me')).toMatchObject({ words: 'is:unresolved assigned:me' })
})

test('a project in a query filters the list, and an unknown project matches nothing', () => {
  expect(read('project:web is:unresolved')).toEqual({ words: 'is:unresolved', projectIds: [1] })
  expect(read('!project:[web]')).toEqual({ words: '', projectIds: [2] })
  expect(read('project:2')).toEqual({ words: '', projectIds: [2] })
  expect(read('project:secret')).toEqual({ words: '', projectIds: [] })
})

test('all issues are errors', () => {
  expect(read('issue.category:error')).toEqual({ words: '', projectIds: undefined })
  expect(read('issue.category:feedback')).toEqual({ words: '', projectIds: [] })
})

test('errors quote the invalid term', () => {
  expect(read('is:for_review x')).toContain('"is:for_review" is not valid')
  expect(read('level:error OR level:info')).toContain('"OR" is not valid')
  expect(read('(level:error)')).toContain('"(level:error)" is not valid')
  expect(read('release:latest')).toContain('"release:latest" is not valid')
})
