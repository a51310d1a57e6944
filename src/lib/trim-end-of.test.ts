import { expect, test } from 'vitest'
import { trimEndOf } from './trim-end-of.ts'

test('only the end loses the character', () => {
  expect(trimEndOf('//a//b//', '/')).toBe('//a//b')
  expect(trimEndOf('////', '/')).toBe('')
  expect(trimEndOf('', '/')).toBe('')
})
