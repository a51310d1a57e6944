import { expect, it } from 'vitest'
import { readEvent } from '../../../test/read-event.ts'
import { readReactError } from './react-error.ts'

it('a recorded production error gives its code and arguments', () => {
  const message = readEvent('next-hydration/003').exception?.values[0]?.value ?? ''
  expect(readReactError(message)).toEqual({ code: 418, args: ['text', ''] })
})

it('the URL of older releases is supported', () => {
  const message = 'Minified React error #425; visit https://reactjs.org/docs/error-decoder.html?invariant=425 for more'
  expect(readReactError(message)).toEqual({ code: 425, args: [] })
})

it('a message of the app is not a React error', () => {
  expect(readReactError('order #418 failed')).toBeNull()
})
