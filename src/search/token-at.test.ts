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
  expect(at('level:[error,fa|')).toEqual({ kind: 'value', key: 'level', prefix: 'fa', start: 13, end: 15 })
  expect(at('level:[er|')).toEqual({ kind: 'value', key: 'level', prefix: 'er', start: 7, end: 9 })
  expect(at('timesSeen:>1|')).toBeNull()
  expect(at('"free te|')).toBeNull()
})
