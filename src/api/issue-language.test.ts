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
  const asked = readIssueSearch(viewer, query)
  return asked.ok ? { words: formatSearch(asked.terms), projectIds: asked.projectIds } : asked.message
}

test("Sentry's words become ours", () => {
  expect(read('is:ignored issue.priority:high userCount:>5 error.type:TypeError')).toMatchObject({
    words: 'is:archived priority:high users:>5 type:TypeError',
  })
  expect(read('is:unresolved AND assigned_or_suggested:me')).toMatchObject({ words: 'is:unresolved assigned:me' })
})

test('a project in a query narrows the list, and one that is not there leaves nothing', () => {
  expect(read('project:web is:unresolved')).toEqual({ words: 'is:unresolved', projectIds: [1] })
  expect(read('!project:[web]')).toEqual({ words: '', projectIds: [2] })
  expect(read('project:2')).toEqual({ words: '', projectIds: [2] })
  expect(read('project:secret')).toEqual({ words: '', projectIds: [] })
})

test('all issues are errors', () => {
  expect(read('issue.category:error')).toEqual({ words: '', projectIds: undefined })
  expect(read('issue.category:feedback')).toEqual({ words: '', projectIds: [] })
})

test('what cannot be asked is named', () => {
  expect(read('is:for_review x')).toContain('"is:for_review" cannot be read')
  expect(read('level:error OR level:info')).toContain('"OR" cannot be read')
  expect(read('(level:error)')).toContain('"(level:error)" cannot be read')
  expect(read('release:latest')).toContain('"release:latest" cannot be read')
})
