import { expect, test } from 'vitest'
import { createAddressReader } from './client-address.ts'

const read = createAddressReader(['10.0.0.0/8', '192.168.1.7', '2001:db8::/32'])

test.each([
  ['the header of an untrusted peer is ignored', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['the header of a trusted proxy is used', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['an IPv4-mapped address matches the same proxy', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  [
    'entries left of the first untrusted address are ignored',
    '10.1.2.3',
    '6.6.6.6, 203.0.113.9, 192.168.1.7',
    '203.0.113.9',
  ],
  ['a chain of only trusted proxies gives its far end', '10.1.2.3', '10.9.9.9, 10.8.8.8', '10.9.9.9'],
  ['an IPv6 address with a port is read', '2001:db8::1', '[2001:4860::8]:443', '2001:4860::8'],
  ['an IPv4 address with a port is read', '10.1.2.3', '203.0.113.9:5555', '203.0.113.9'],
  ['an invalid entry ends the search', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
  ['without a header the peer is the client', '10.1.2.3', undefined, '10.1.2.3'],
])('%s', (_name, socketAddress, forwardedFor, expected) => {
  expect(read(socketAddress, forwardedFor)).toBe(expected)
})

test('without trusted proxies the header is ignored', () => {
  expect(createAddressReader([])('10.1.2.3', '203.0.113.9')).toBe('10.1.2.3')
})
