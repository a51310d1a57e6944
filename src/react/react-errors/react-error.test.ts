import { expect, it } from 'vitest'
import { readEvent } from '../../../test/read-event.ts'
import { readReactError } from './react-error.ts'

it('a recorded production error names its number and what React filled in', () => {
  const message = readEvent('next-hydration/003').exception?.values[0]?.value ?? ''
  expect(readReactError(message)).toEqual({ code: 418, args: ['text', ''] })
})

it('the address of older releases is read too', () => {
  const message = 'Minified React error #425; visit https://reactjs.org/docs/error-decoder.html?invariant=425 for more'
  expect(readReactError(message)).toEqual({ code: 425, args: [] })
})

it('somebody else’s words are not React’s', () => {
  expect(readReactError('order #418 failed')).toBeNull()
})
