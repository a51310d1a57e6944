import { describe, expect, test } from 'vitest'
import { createPathMatcher } from './match-path.ts'

const patterns = ['/a', '/a/things', '/a/things/[id]', '/a/things/[id]/parts/[part]', '/a/[kind]/all']
const match = createPathMatcher(patterns.map(pattern => [pattern, pattern] as const))
const params = (path: string) => {
  const found = match(path)
  return found === null || found === 'malformed' ? found : found.params
}

describe('a path', () => {
  test('has the pattern whose segments it has, and its parameters', () => {
    expect(match('/a')).toEqual({ value: '/a', params: {} })
    expect(match('/a/things')).toEqual({ value: '/a/things', params: {} })
    expect(match('/a/things/7/parts/8')).toEqual({
      value: '/a/things/[id]/parts/[part]',
      params: { id: '7', part: '8' },
    })
    expect(match('/a/other/all')).toEqual({ value: '/a/[kind]/all', params: { kind: 'other' } })
  })

  test.each(['', '/', '/b', '/ab', '/a/thing', '/a/things/7/parts', '/a/things/7/parts/8/9', '/A', '/a/Things'])(
    '%j has no pattern',
    path => expect(match(path)).toBeNull(),
  )

  test.each(['/a/', '//a', '/a//things', '/a/things/', '/a/things//parts/8', '/a/things/7/parts/', '/a//all'])(
    '%j has an empty segment, which is no parameter',
    path => expect(match(path)).toBeNull(),
  )
})

describe('a parameter', () => {
  test.each([
    ['%61', 'a'],
    ['a%2Fb', 'a/b'],
    ['%2F', '/'],
    ['%2f..%2F..', '/../..'],
    ['a%5Cb', 'a\\b'],
    ['%2540', '%40'], // once, not until nothing is left
    ['%25zz', '%zz'],
    ['a+b', 'a+b'],
    ['%00', '\0'],
    ['%F0%9F%98%80', '😀'],
    ['.', '.'],
    ['..', '..'],
    ['%2e%2e', '..'],
    ['[id]', '[id]'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('%j is decoded once: %j', (given, expected) => {
    expect(params(`/a/things/${given}`)).toEqual({ id: expected })
  })
})

test.each(['/a/th%69ngs', '/%61', '/a%2Fthings', '/a/things%2F7'])(
  '%j has no pattern: a literal has one spelling',
  path => expect(match(path)).toBeNull(),
)

test.each(['/a/things/%', '/a/things/%zz', '/a/things/%E0%A4%A', '/a/things/%ff', '/a/things/%c0%af', '/%', '/none/%'])(
  '%j is malformed',
  path => expect(match(path)).toBe('malformed'),
)

test.each(['/toString', '/a/__proto__', '/__proto__', '/a/constructor/all/x', '/hasOwnProperty'])(
  '%j is not found in a prototype',
  path => expect(match(path)).toBeNull(),
)

test('a very long path is answered like a short one', () => {
  expect(params(`/a/things/${'x'.repeat(1_000_000)}`)).toEqual({ id: 'x'.repeat(1_000_000) })
  expect(match(`/a${'/'.repeat(1_000_000)}`)).toBeNull()
  expect(match('/a/things'.repeat(100_000))).toBeNull()
  expect(match(`/a/things/${'%2F'.repeat(100_000)}/parts`)).toBeNull()
})
