import { expect, test } from 'vitest'
import { chosenValues, withFacetValue, withTerm } from './edit-search.ts'

test('a click on an attribute adds a condition, and the opposite replaces it', () => {
  expect(withTerm('timeout', 'cart.id', '8832', false)).toBe('timeout cart.id:8832')
  expect(withTerm('timeout cart.id:8832', 'cart.id', '8832', true)).toBe('timeout !cart.id:8832')
  expect(withTerm('', 'host', 'web 1', false)).toBe('server_name:"web 1"')
})

test('values that look like the language stay values', () => {
  const search = withTerm('', 'note', 'a" OR level:info *', false)
  expect(chosenValues(search, 'note')).toEqual(['a" OR level:info *'])
})

test('values of one facet are alternatives, and a second click takes one back', () => {
  expect(withFacetValue('', 'level', 'error')).toBe('level:error')
  expect(withFacetValue('level:error', 'level', 'fatal')).toBe('level:[error,fatal]')
  expect(withFacetValue('level:[error,fatal] x', 'level', 'error')).toBe('x level:fatal')
  expect(withFacetValue('level:error', 'level', 'error')).toBe('')
})

test('a comparison of levels is the levels that it names', () => {
  expect(chosenValues('level:>=warn', 'level')).toEqual(['warn', 'error', 'fatal'])
  expect(chosenValues('level:>=warning', 'level')).toEqual(['warn', 'error', 'fatal'])
  expect(withFacetValue('level:>=warn', 'level', 'warn')).toBe('level:[error,fatal]')
})
