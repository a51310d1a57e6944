import { expect, test } from 'vitest'
import { withoutLastSlash } from './without-last-slash.ts'

test.each([
  ['/api/0/', '/api/0'],
  ['/api/0/projects/', '/api/0/projects'],
  ['/api/0/projects//?a=/&b=c/', '/api/0/projects?a=/&b=c/'],
  ['/api/0/projects', '/api/0/projects'],
  ['/api/0//projects?', '/api/0//projects?'],
])('%s is read as %s', (url, expected) => {
  expect(withoutLastSlash(url)).toBe(expected)
})
