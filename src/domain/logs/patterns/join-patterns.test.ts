import { expect, test } from 'vitest'
import { joinPatterns } from './join-patterns.ts'

const join = (...texts: string[]) => joinPatterns(texts, text => text).map(({ text, items }) => [text, items.length])

test('patterns that differ in a word become one, with a value in its place', () => {
  expect(join('no express quote for Norway', 'no express quote for Sweden', 'no express quote for <*>')).toEqual([
    ['no express quote for <*>', 3],
  ])
})

test('patterns of other lengths or with other first words stay apart', () => {
  expect(join('cart <*> locked by worker', 'cart <*> locked by the worker', 'order <*> locked by worker')).toHaveLength(
    3,
  )
})

test('short patterns are not joined: two of three words may mean the opposite', () => {
  expect(join('payment was accepted', 'payment was refused')).toHaveLength(2)
})

test('values are no reason to join', () => {
  expect(join('<*> <*> <*> alpha', '<*> <*> <*> beta')).toHaveLength(2)
})
