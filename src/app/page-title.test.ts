import { expect, test } from 'vitest'
import { pageTitle } from './page-title.ts'

test('a title says which, and then what', () => {
  expect(pageTitle('TypeError: x is not a function', 'WEB-12').title).toBe('TypeError: x is not a function · WEB-12')
  expect(pageTitle('', 'Releases').title).toBe('Releases')
})

test('a title is one bounded line, and hidden characters are visible', () => {
  expect(pageTitle('a\n\tb\u202ec').title).toBe('a b⟨202E⟩c')
  const long = pageTitle('👩‍💻'.repeat(500), 'x'.repeat(500)).title
  expect([...String(long)].length).toBe(120 + 3 + 120)
  expect(String(long)).toMatch(/… · x+…$/)
})
