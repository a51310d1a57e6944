import { describe, expect, test } from 'vitest'
import { readEvent } from '../../../test/read-event.ts'
import { findReactError, knownReactErrors, readMinifiedError } from './find-react-error.ts'

describe('a minified React error', () => {
  test('is parsed from a recorded event', () => {
    const [error] = readEvent('next-hydration/003').exception?.values ?? []
    expect(readMinifiedError(error?.value ?? '')).toEqual({ code: 418, args: ['text', ''], isTruncated: false })
  })

  test.each<[string, string, object]>([
    [
      'React 19 with escaped arguments',
      'Minified React error #31; visit https://react.dev/errors/31?args[]=object%20with%20keys%20%7Ba%2C%20b%7D for the full message',
      { code: 31, args: ['object with keys {a, b}'], isTruncated: false },
    ],
    [
      'React 18',
      'Minified React error #130; visit https://reactjs.org/docs/error-decoder.html?invariant=130&args[]=undefined&args[]= for the full message or use …',
      { code: 130, args: ['undefined', ''], isTruncated: false },
    ],
    [
      'React 16, with escaped brackets',
      'Error: Minified React error #137; visit https://reactjs.org/docs/error-decoder.html?invariant=137&args%5B%5D=img for the full message',
      { code: 137, args: ['img'], isTruncated: false },
    ],
    [
      'a message that was cut inside an argument',
      'Minified React error #31; visit https://react.dev/errors/31?args[]=object%20with%20ke%7',
      { code: 31, args: ['object with ke'], isTruncated: true },
    ],
    ['the address alone', 'see https://react.dev/errors/441', { code: 441, args: [], isTruncated: false }],
    ['the number alone', 'Minified React error #185', { code: 185, args: [], isTruncated: false }],
    [
      'invalid UTF-8',
      'Minified React error #31; visit https://react.dev/errors/31?args[]=%FFa%C3%A9 for',
      { code: 31, args: ['aé'], isTruncated: false },
    ],
  ])('%s', (_, message, expected) => {
    expect(readMinifiedError(message)).toEqual(expected)
  })

  test('is not found in other messages', () => {
    expect(readMinifiedError('Cannot read properties of undefined (reading "price")')).toBeNull()
    expect(readMinifiedError('error #418')).toBeNull()
  })
})

test('every explained code has one complete explanation', () => {
  expect(new Set(knownReactErrors.map(({ code }) => code)).size).toBe(knownReactErrors.length)
  expect(knownReactErrors.length).toBeGreaterThanOrEqual(40)
  for (const { name, means, cause, next } of knownReactErrors)
    for (const text of [name, means, cause, next]) expect(text.length).toBeGreaterThan(10)
  expect(findReactError(418)?.name).toContain('differ')
  expect(findReactError(3)).toBeNull()
})
