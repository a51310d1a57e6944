import { expect, test } from 'vitest'
import { createAddressBook } from './address-book.ts'

test('an address is read once and remembered, within bounds', () => {
  const read = createAddressBook()
  const url = '/api/42/envelope/?sentry_key=k'
  expect(read(url)).toMatchObject({ route: { door: 'envelope', project: '42' } })
  expect(read(url)).toBe(read(url))
  const before = read(url)
  for (let index = 0; index < 600; index++) read(`/page/${index}`)
  expect(read(url)).not.toBe(before)
  expect(read(url)).toEqual(before)
  const long = `/api/42/store/?sentry_data=${'x'.repeat(400)}`
  expect(read(long)).not.toBe(read(long))
})
