import { expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { formatSearch } from '#search/search-term.ts'
import { readIssueFilter } from './read-issue-filter.ts'

const now = Date.parse('2026-11-17T12:00:00Z')
const projects = [1, 2].map(id => ({ id, slug: `p${id}`, name: '', isInternal: false }))
const viewer = { projects, now } as unknown as Viewer

function read(parameters: string, onlyProject?: number) {
  const search = new URLSearchParams(parameters)
  const filter = readIssueFilter(viewer, search, search.get('query') ?? '', { onlyProject })
  if (filter instanceof Response) throw new Error(`status ${filter.status}`)
  return { ...filter, terms: formatSearch(filter.terms) }
}

test('environments, time and projects narrow what a query names, also for a bulk change', () => {
  expect(read('query=a+OR+b&environment=x&environment=y')).toMatchObject({ terms: '(a OR b) environment:[x,y]' })
  expect(read('start=2026-11-01T00:00:00&end=2026-11-02T00:00:00')).toMatchObject({
    to: Date.parse('2026-11-02T00:00:00Z'),
    rangeMs: 86_400_000,
  })
  expect(read('project=1', 1)).toMatchObject({ projectIds: [1] })
  expect(read('project=1', 2)).toMatchObject({ projectIds: [] })
  expect(read('')).toMatchObject({ terms: '', projectIds: undefined })
})
