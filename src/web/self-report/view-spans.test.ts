import { expect, test } from 'vitest'
import { patternOf } from './view-spans.ts'

test.each([
  ['/acme/issues', { org: 'acme' }, '/[org]/issues'],
  ['/acme/issues/7', { org: 'acme', issueId: '7' }, '/[org]/issues/[issueId]'],
  ['/acme/routes/items/[id]', { org: 'acme', pattern: ['items', '[id]'] }, '/[org]/routes/[...pattern]'],
  ['/web/projects/web', { org: 'web', slug: 'web' }, '/[org]/projects/[slug]'],
  ['/login', {}, '/login'],
  ['/', {}, '/'],
])('the pattern of %s', (path, params, pattern) => {
  expect(patternOf(path, params)).toBe(pattern)
})
