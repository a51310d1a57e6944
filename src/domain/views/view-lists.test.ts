import { expect, test } from 'vitest'
import { cleanViewQuery } from './view-lists.ts'

test('a view is what the URL says about the list, not the page in it', () => {
  expect(cleanViewQuery('?range=7d&after=1-2-3&q=is%3Anew&page=4&undo=x')).toBe('q=is%3Anew&range=7d')
  expect(cleanViewQuery('env=&q=a&constructor=1')).toBe('q=a')
  expect(cleanViewQuery('live=1&columns=route%2Cplan&q=level%3Aerror&facets=plan')).toBe(
    'q=level%3Aerror&columns=route%2Cplan&facets=plan',
  )
  expect(cleanViewQuery('')).toBe('')
})

test('a query of five thousand characters is none', () => {
  expect(cleanViewQuery(`q=${'x'.repeat(5_000)}`)).toBeNull()
})
