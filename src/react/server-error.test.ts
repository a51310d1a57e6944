import { expect, it } from 'vitest'
import { makeError, makeEvent } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { digestOf } from './server-digest.ts'
import { isServerError } from './server-error.ts'

const inBrowser = (value: string) => ({ ...makeError('Error', value), platform: 'javascript' })

it('a recorded browser error of a failed server component is a server error with a digest', () => {
  const event = readEvent('next-server-component-error/008')
  expect(isServerError(event)).toBe(true)
  expect(digestOf(event)).toBe('3836656008')
})

it('a recorded failed server action is a server error', () => {
  expect(isServerError(readEvent('next-server-action/014'))).toBe(true)
})

it('messages of older releases are recognized', () => {
  expect(isServerError(inBrowser('An error occurred in the Server Components render. The specific message …'))).toBe(
    true,
  )
  expect(isServerError(inBrowser('The server could not finish this Suspense boundary, likely due to …'))).toBe(true)
})

it('the error reported by the server itself and a hydration error don’t count', () => {
  expect(isServerError(readEvent('next-server-component-error/004'))).toBe(false)
  expect(isServerError(readEvent('next-hydration/003'))).toBe(false)
})

it('a digest is found wherever an SDK puts it, and nothing else is taken for one', () => {
  expect(digestOf(makeEvent({ extra: { Error: { digest: '12345' } } }))).toBe('12345')
  expect(digestOf(makeEvent({ tags: { digest: 'NEXT_REDIRECT;replace;/x;307;' } }))).toBe(
    'NEXT_REDIRECT;replace;/x;307;',
  )
  expect(digestOf(makeEvent({ tags: { digest: 'two words' } }))).toBe('')
  expect(digestOf(makeEvent())).toBe('')
})
