import { expect, test } from 'vitest'
import { type IssueParams, issuesHref, readIssueParams } from './search-params.ts'

const read = (href: string) => readIssueParams(Object.fromEntries(new URL(href, 'http://x').searchParams))
const plain = readIssueParams({})

test('a page of the list survives being sent as a link', () => {
  const after = { to: 1_763_000_000_000, keys: [3, 4_812], id: 42 }
  const sent: IssueParams = {
    q: 'is:new "a b"',
    projects: ['web', 'api'],
    environment: 'production',
    range: '30d',
    sort: 'events',
    after,
  }
  expect(read(issuesHref('acme', sent, { after }))).toEqual(sent)
})

test('the plain list has a plain address, and an emptied search is not the default one', () => {
  expect(issuesHref('acme', plain)).toBe('/acme/issues')
  expect(plain).toMatchObject({ q: 'is:unresolved', range: '24h', sort: 'urgency' })
  expect(read(issuesHref('acme', { ...plain, q: '' })).q).toBe('')
})

test('another question starts at its first page', () => {
  const later = { ...plain, after: { to: 1, keys: [1, 2], id: 3 } }
  expect(read(issuesHref('acme', later, { sort: 'users' })).after).toBeUndefined()
})

test('nonsense in the address shows the first page', () => {
  for (const after of ['', '1', '-1-2', '1-2', '1-2-3-4-5', "1-2-3'; --", '99999999999999999999-1-2']) {
    expect(readIssueParams({ after }).after).toBeUndefined()
  }
  expect(readIssueParams({ after: ['1-2-3'], range: 'soon', sort: 'x', env: ['a'] })).toEqual(plain)
})
