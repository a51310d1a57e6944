import { expect, it, test } from 'vitest'
import { fieldTerm } from './search-term.ts'
import { spanFields } from './span-fields.ts'
import { findValue, withField, withValue } from './with-field.ts'

it.each([
  ['is:unresolved', 'web@1.2.0', 'is:unresolved release:web@1.2.0'],
  ['is:unresolved release:a !release:b', 'c', 'is:unresolved release:c'],
  ['release:[a,b] level:error', undefined, 'level:error'],
  ['', 'a b', 'release:"a b"'],
  ['(release:a OR level:fatal)', 'c', '(release:a OR level:fatal) release:c'],
  ['a:"', 'c', 'release:c'],
])('%j with the release %s is %j', (text, release, expected) => {
  expect(withValue(text, 'release', release)).toBe(expected)
})

test('a value that looks like a pattern or an alias is taken as it is', () => {
  const text = withValue('', 'release', '1.* [x], "y"')
  expect(findValue(text, 'release')).toBe('1.* [x], "y"')
})

test('a condition replaces those on the same field', () => {
  const term = { ...fieldTerm('firstSeen', ['2026-11-15']), comparison: '>=' as const }
  expect(withField('firstSeen:-24h level:error', 'firstSeen', [term])).toBe('level:error firstSeen:>=2026-11-15')
})

it.each([
  ['is:unresolved', null],
  ['release:latest is:new', 'latest'],
  ['release:[a,b]', 'several'],
  ['!release:a', 'several'],
  ['release:a release:b', 'several'],
  ['release:1.*', 'several'],
])('%s names the release %s', (text, value) => {
  expect(findValue(text, 'release')).toBe(value)
  expect(findValue(text, 'release', spanFields)).toBe(value)
})
