import { expect, test } from 'vitest'
import { splitTitle } from './split-title.ts'

test('a title shows its type apart from its message', () => {
  expect(splitTitle('TypeError: x is not a function')).toEqual({ type: 'TypeError', message: 'x is not a function' })
  expect(splitTitle('Could not pay: card refused')).toEqual({ type: 'Could not pay: card refused', message: '' })
  expect(splitTitle('')).toEqual({ type: '(no message)', message: '' })
})
