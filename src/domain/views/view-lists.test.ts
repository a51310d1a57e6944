import { expect, test } from 'vitest'
import { cleanViewQuery } from './view-lists.ts'

test('a view is what the URL says about the list, not the page in it', () => {
  expect(cleanViewQuery('?range=7d&after=1-2-3&q=is%3Anew&page=4&undo=x')).toBe('q=is%3Anew&range=7d')
  expect(cleanViewQuery('env=&q=a&constructor=1')).toBe('q=a')
  expect(cleanViewQuery('')).toBe('')
})

test('a query of five thousand characters is none', () => {
  expect(cleanViewQuery(`q=${'x'.repeat(5_000)}`)).toBeNull()
})
