import { expect, test } from 'vitest'
import { mentionAt } from './use-mentions.ts'

test.each([
  ['@', ''],
  ['hello @ad', 'ad'],
  ['(@ada love', 'ada love'],
  ['a\n@Ada Lovelace ', 'Ada Lovelace '],
])('%j is a mention of %j', (text, prefix) => {
  expect(mentionAt(text, text.length)).toEqual({ start: text.length - prefix.length, prefix })
})

test.each(['', 'ada@example', '@ada\nlove', '@one two three four', `@${'a'.repeat(60)}`])('%j is none', text => {
  expect(mentionAt(text, text.length)).toBeNull()
})

test('only the text before the caret counts', () => {
  expect(mentionAt('@adam and', 3)).toEqual({ start: 1, prefix: 'ad' })
})
