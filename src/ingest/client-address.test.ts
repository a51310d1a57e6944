import { expect, test } from 'vitest'
import { createAddressBook, createAddressReader } from './client-address.ts'

const read = createAddressReader(['10.0.0.0/8', '192.168.1.7', '2001:db8::/32'])

test.each([
  ['a stranger cannot choose its address', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['a trusted proxy is believed', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['a mapped address is the same proxy', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['what stands left of the first stranger is ignored', '10.1.2.3', '6.6.6.6, 203.0.113.9, 192.168.1.7', '203.0.113.9'],
  ['a chain of proxies alone gives its far end', '10.1.2.3', '10.9.9.9, 10.8.8.8', '10.9.9.9'],
  ['version 6, with a port', '2001:db8::1', '[2001:4860::8]:443', '2001:4860::8'],
  ['version 4, with a port', '10.1.2.3', '203.0.113.9:5555', '203.0.113.9'],
  ['nonsense ends the walk', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
  ['no header', '10.1.2.3', undefined, '10.1.2.3'],
])('%s', (_name, socketAddress, forwardedFor, expected) => {
  expect(read(socketAddress, forwardedFor)).toBe(expected)
})

test('without trusted proxies the header means nothing', () => {
  expect(createAddressReader([])('10.1.2.3', '203.0.113.9')).toBe('10.1.2.3')
})

test('an address is read once and remembered, within bounds', () => {
  const read = createAddressBook()
  const url = '/api/42/envelope/?sentry_key=k'
  expect(read(url)).toMatchObject({ route: { endpoint: 'envelope', project: '42' } })
  expect(read(url)).toBe(read(url))
  const before = read(url)
  for (let index = 0; index < 600; index++) read(`/page/${index}`)
  expect(read(url)).not.toBe(before)
  expect(read(url)).toEqual(before)
  const long = `/api/42/store/?sentry_data=${'x'.repeat(400)}`
  expect(read(long)).not.toBe(read(long))
})
