import { expect, test } from 'vitest'
import { createByteCache } from './byte-cache.ts'

test('a cache keeps what was used last, within its bytes', () => {
  const cache = createByteCache<string>(100)
  cache.set('a', 'A', 40)
  cache.set('b', 'B', 40)
  expect(cache.get('a')).toBe('A')
  cache.set('c', 'C', 40)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
  expect(cache.usedBytes).toBe(80)
})

test('what is set again takes the place of what it was', () => {
  const cache = createByteCache<string>(100)
  cache.set('a', 'small', 10)
  cache.set('a', 'large', 90)
  expect([cache.get('a'), cache.usedBytes]).toEqual(['large', 90])
})

test('what is larger than the cache is not kept, and nothing goes for it', () => {
  const cache = createByteCache<string>(100)
  cache.set('a', 'A', 40)
  cache.set('b', 'B', 101)
  expect([cache.get('a'), cache.get('b')]).toEqual(['A', undefined])
})
