import { expect, test } from 'vitest'
import { formatSearch } from '#search/search-term.ts'
import { readIssueFilter } from './read-issue-filter.ts'

const now = Date.parse('2026-11-17T12:00:00Z')
function read(parameters: string) {
  const search = new URLSearchParams(parameters)
  const filter = readIssueFilter({ now }, search, search.get('query') ?? '')
  if (filter instanceof Response) throw new Error(`status ${filter.status}`)
  return { ...filter, terms: formatSearch(filter.terms) }
}

test('environments and time narrow what a query names, also for a bulk change', () => {
  expect(read('query=a+OR+b&environment=x&environment=y')).toMatchObject({ terms: '(a OR b) environment:[x,y]' })
  expect(read('start=2026-11-01T00:00:00&end=2026-11-02T00:00:00')).toMatchObject({
    to: Date.parse('2026-11-02T00:00:00Z'),
    rangeMs: 86_400_000,
  })
  expect(read('')).toMatchObject({ terms: '', rangeMs: 14 * 86_400_000 })
})
