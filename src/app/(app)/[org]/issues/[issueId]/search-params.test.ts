import { expect, test } from 'vitest'
import { readIssueAddress } from './search-params.ts'

test('a link keeps the time range, the environment and the search', () => {
  const address = readIssueAddress({ start: '10', end: '20', environment: 'production', query: 'browser.name:Chrome' })
  expect(address.filter).toMatchObject({ from: 10, to: 20, environment: 'production' })
  expect(address.filter.terms?.map(({ key }) => key)).toEqual(['browser.name'])
  expect(address.search).toBe('start=10&end=20&environment=production&query=browser.name%3AChrome')
})

test('search terms about issues do not hide events', () => {
  expect(readIssueAddress({ query: 'is:unresolved assigned:me timesSeen:>10 words' }).isNarrowed).toBe(false)
})

test('invalid parameters are ignored', () => {
  for (const raw of [
    { start: '9', end: '1' },
    { start: 'x', end: '2' },
    { stack: 'upside-down' },
    { query: 'a:"' },
    { query: ['a', 'b'] },
  ])
    expect(readIssueAddress(raw)).toMatchObject({ isNarrowed: false, stack: 'app' })
})
