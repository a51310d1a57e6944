import { expect, test } from 'vitest'
import { type IssueParams, issuesHref, listedIssueHref, readIssueParams } from './search-params.ts'

const read = (href: string) => readIssueParams(Object.fromEntries(new URL(href, 'http://x').searchParams))
const plain = readIssueParams({})

test('a link keeps the filter and the page of the list', () => {
  const after = { to: 1_763_000_000_000, keys: [3, 4_812], id: 42 }
  const sent: IssueParams = {
    q: 'is:new "a b"',
    projects: ['web', 'api'],
    environment: 'production',
    range: '30d',
    sort: 'events',
    after,
  }
  expect(read(issuesHref('acme', sent, { after }))).toEqual({ ...sent, ignored: [] })
  const before = { ...after, isBackward: true }
  expect(read(issuesHref('acme', sent, { after: before })).after).toEqual(before)
})

test('the default list has no parameters, and an empty search is not the default search', () => {
  expect(issuesHref('acme', plain)).toBe('/acme/issues')
  expect(plain).toMatchObject({ q: 'is:unresolved', range: '24h', sort: 'urgency' })
  expect(read(issuesHref('acme', { ...plain, q: '' })).q).toBe('')
})

test('a change of the filter goes back to the first page', () => {
  const later = { ...plain, after: { to: 1, keys: [1, 2], id: 3 } }
  expect(read(issuesHref('acme', later, { sort: 'users' })).after).toBeUndefined()
})

test('invalid parameters are ignored', () => {
  for (const after of [
    '',
    '1',
    '-1-2',
    '1-2',
    '1-2-3-4-5',
    '1-2-3-backward',
    '-back',
    "1-2-3'; --",
    '99999999999999999999-1-2',
  ]) {
    expect(readIssueParams({ after }).after).toBeUndefined()
  }
  expect(readIssueParams({ after: ['1-2-3'], range: 'soon', sort: 'x', env: ['a'] })).toEqual({
    ...plain,
    ignored: expect.any(Array),
  })
})

test('an issue opens with the filter of its list, as far as it is about events', () => {
  const params = readIssueParams({ q: 'is:unresolved browser.name:Chrome words', env: 'staging', project: 'web' })
  expect(listedIssueHref('acme', 7, params)).toBe(
    '/acme/issues/7?project=web&env=staging&range=24h&query=browser.name%3AChrome',
  )
})
