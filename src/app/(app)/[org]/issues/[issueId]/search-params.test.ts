import { expect, test } from 'vitest'
import { formatSearch } from '#search/search-term.ts'
import { issueHref, listHref, readIssueAddress, tagIssuesHref, withTerm } from './search-params.ts'

test('a link keeps the time, the environment and the search', () => {
  const address = readIssueAddress({ start: '10', end: '20', env: 'production', query: 'browser.name:Chrome' })
  expect(address.filter).toMatchObject({ from: 10, to: 20, environment: 'production' })
  expect(address.filter.terms).toMatchObject([{ key: 'browser.name' }])
  expect(address.search).toBe('env=production&start=10&end=20&query=browser.name%3AChrome')
  const again = readIssueAddress(Object.fromEntries(new URLSearchParams(address.search)))
  expect(again).toEqual(address)
})

test('a range ends now, and a chosen time comes before it', () => {
  expect(readIssueAddress({ range: '7d' }).filter).toMatchObject({ rangeMs: 7 * 86_400_000 })
  expect(readIssueAddress({ range: '7d', start: '10', end: '20' }).filter.rangeMs).toBeUndefined()
  expect(readIssueAddress({ start: '2026-11-15T02:40', end: '2026-11-15T03:40:00.000Z' }).filter).toMatchObject({
    from: Date.UTC(2026, 10, 15, 2, 40),
    to: Date.UTC(2026, 10, 15, 3, 40),
  })
})

test('the older name of the environment still works', () => {
  expect(readIssueAddress({ environment: 'staging' }).filter.environment).toBe('staging')
})

test('search terms about issues do not hide events', () => {
  expect(readIssueAddress({ query: 'is:unresolved assigned:me timesSeen:>10 words' }).isNarrowed).toBe(false)
})

test('the level is that of the event', () => {
  expect(readIssueAddress({ query: 'level:fatal is:unresolved' }).filter.terms).toMatchObject([{ key: 'level' }])
  const { scope } = readIssueAddress({})
  expect(withTerm(scope, 'level', 'fatal').query).toBe('level:fatal')
})

test('an OR with a term about the issue allows every event, and the rest of the search still narrows', () => {
  const narrowed = (query: string) => formatSearch(readIssueAddress({ query }).filter.terms ?? [])
  expect(narrowed('is:unresolved OR browser.name:Chrome')).toBe('')
  expect(narrowed('(is:unresolved OR browser.name:Chrome) release:1.0')).toBe('release:1.0')
  expect(narrowed('!(is:resolved OR browser.name:Chrome)')).toBe('!browser.name:Chrome')
  expect(narrowed('!(is:resolved browser.name:Chrome)')).toBe('')
  expect(narrowed('(plan:a OR plan:b) assigned:me')).toBe('plan:a OR plan:b')
})

test('invalid parameters are ignored', () => {
  for (const raw of [
    { start: '9', end: '1' },
    { start: 'x', end: '2' },
    { start: '1', end: '99999999999999999' },
    { start: '1', end: String(500 * 86_400_000) },
    { range: 'soon' },
    { stack: 'upside-down' },
    { query: 'a:"' },
    { query: ['a', 'b'] },
  ])
    expect(readIssueAddress(raw)).toMatchObject({ isNarrowed: false, stack: 'app' })
})

test('a tag value narrows the events of the issue, or finds all issues that have it', () => {
  const { scope } = readIssueAddress({ project: 'web', env: 'staging', range: '24h', query: 'plan:free' })
  const narrowed = withTerm(scope, 'plan', 'a "b" *')
  expect(readIssueAddress({ query: narrowed.query }).filter.terms).toMatchObject([
    { key: 'plan', values: [{ parts: ['a "b" *'] }] },
  ])
  expect(issueHref('acme', 7, scope, '/events')).toBe(
    '/acme/issues/7/events?project=web&env=staging&range=24h&query=plan%3Afree',
  )
  expect(tagIssuesHref('acme', scope, 'plan', 'pro')).toBe(
    '/acme/issues?q=plan%3Apro&project=web&env=staging&range=24h',
  )
  // A tag may be called like an alias of a field.
  expect(readIssueAddress({ query: withTerm(scope, 'browser', 'x').query }).filter.terms).toMatchObject([
    { key: 'plan' },
    { key: 'tags[browser]' },
  ])
  expect(listHref('acme', scope)).toBe('/acme/issues?project=web&env=staging&range=24h')
})
