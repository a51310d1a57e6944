import { expect, test } from 'vitest'
import { escapeControl, trimEndOf } from './text.ts'

test('the character is removed only from the end', () => {
  expect(trimEndOf('//a//b//', '/')).toBe('//a//b')
  expect(trimEndOf('////', '/')).toBe('')
  expect(trimEndOf('', '/')).toBe('')
})

test.each([
  ['\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['a\rb\u0000\u007f\u009b2J', 'a\\u000db\\u0000\\u007f\\u009b2J'],
  ['abc\u202egnp.exe', 'abc\\u202egnp.exe'],
  ['two\n\tlines, ü 漢 😀', 'two\n\tlines, ü 漢 😀'],
])('%j is shown as %j', (text, shown) => {
  expect(escapeControl(text)).toBe(shown)
})
