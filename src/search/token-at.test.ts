import { expect, test } from 'vitest'
import { issueFields } from './search-fields.ts'
import { tokenAt } from './token-at.ts'

const at = (text: string) => tokenAt(text.replace('|', ''), text.indexOf('|'), issueFields)

test('the token at the caret is a key, a value, or nothing that can be suggested', () => {
  expect(at('is:unresolved bro|')).toEqual({ kind: 'key', prefix: 'bro', start: 14, end: 17 })
  expect(at('|')).toEqual({ kind: 'key', prefix: '', start: 0, end: 0 })
  expect(at('!rel|ease')).toEqual({ kind: 'key', prefix: 'rel', start: 1, end: 8 })
  expect(at('browser.name:Chr|')).toEqual({ kind: 'value', key: 'browser.name', prefix: 'Chr', start: 13, end: 16 })
  expect(at('route:"/it|')).toEqual({ kind: 'value', key: 'route', prefix: '/it', start: 6, end: 10 })
  expect(at('level:[error,fa|')).toEqual({
    kind: 'value',
    key: 'level',
    prefix: 'fa',
    start: 13,
    end: 15,
    isInList: true,
  })
  expect(at('level:[er|')).toEqual({ kind: 'value', key: 'level', prefix: 'er', start: 7, end: 9, isInList: true })
  expect(at('timesSeen:>1|')).toBeNull()
  expect(at('"free te|')).toBeNull()
})

test('suggestions go on inside of parentheses and lists', () => {
  expect(at('(bro|')).toEqual({ kind: 'key', prefix: 'bro', start: 1, end: 4 })
  expect(at('is:new OR !(rel|)')).toEqual({ kind: 'key', prefix: 'rel', start: 12, end: 15 })
  expect(at('((level:er|ror) x)')).toEqual({ kind: 'value', key: 'level', prefix: 'er', start: 8, end: 13 })
  expect(at('(level:[error, fa|tal] x)')).toMatchObject({ prefix: 'fa', start: 15, end: 20, isInList: true })
  expect(at('release:["a b", "c|"]')).toMatchObject({ key: 'release', prefix: 'c', start: 16, isInList: true })
  expect(at('tags[plan]:go|')).toMatchObject({ kind: 'value', key: 'plan', prefix: 'go' })
  expect(at('times_seen:|')).toMatchObject({ kind: 'value', key: 'timesSeen' })
})
