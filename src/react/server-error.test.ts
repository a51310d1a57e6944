import { expect, it } from 'vitest'
import { makeError, makeEvent } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { digestOf, isServerError } from './server-error.ts'

const inBrowser = (value: string) => ({ ...makeError('Error', value), platform: 'javascript' })

it('a recorded browser error of a failed server component is the server’s echo, and carries its digest', () => {
  const event = readEvent('next-server-component-error/008')
  expect(isServerError(event)).toBe(true)
  expect(digestOf(event)).toBe('3836656008')
})

it('a recorded failed server action is one too', () => {
  expect(isServerError(readEvent('next-server-action/014'))).toBe(true)
})

it('the texts of older releases are known', () => {
  expect(isServerError(inBrowser('An error occurred in the Server Components render. The specific message …'))).toBe(
    true,
  )
  expect(isServerError(inBrowser('The server could not finish this Suspense boundary, likely due to …'))).toBe(true)
})

it('the server’s own error is not its echo, nor is a hydration error', () => {
  expect(isServerError(readEvent('next-server-component-error/004'))).toBe(false)
  expect(isServerError(readEvent('next-hydration/003'))).toBe(false)
})

it('a digest is read wherever an SDK puts it, and nothing else is taken for one', () => {
  expect(digestOf(makeEvent({ extra: { Error: { digest: '12345' } } }))).toBe('12345')
  expect(digestOf(makeEvent({ tags: { digest: 'NEXT_REDIRECT;replace;/x;307;' } }))).toBe(
    'NEXT_REDIRECT;replace;/x;307;',
  )
  expect(digestOf(makeEvent({ tags: { digest: 'two words' } }))).toBe('')
  expect(digestOf(makeEvent())).toBe('')
})
