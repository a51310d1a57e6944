import { expect, test } from 'vitest'
import { clientGroup } from './request-headers.ts'

const group = (forwardedFor: string, trusted: string[]) =>
  clientGroup(new Headers({ 'x-forwarded-for': forwardedFor }), trusted)

test('without a proxy it is the peer', () => {
  expect(group('203.0.113.7', [])).toBe('203.0.113.7')
})

test('behind proxies it is the last address that is not a trusted proxy', () => {
  expect(group('6.6.6.6, 203.0.113.7, 10.0.0.2, 10.0.0.1', ['10.0.0.0/8'])).toBe('203.0.113.7')
  expect(group('6.6.6.6, 2001:db8:1:2::9, 10.0.0.1', ['10.0.0.1'])).toBe('2001:db8:1:2::/64')
})

test('a request from a proxy itself has the address of the proxy', () => {
  expect(group('10.0.0.2, 10.0.0.1', ['10.0.0.0/8'])).toBe('10.0.0.2')
})

test('an entry that is no address ends the chain: what is before it may be forged', () => {
  expect(group('6.6.6.6, nobody, 203.0.113.7, 10.0.0.1', ['10.0.0.0/8'])).toBe('203.0.113.7')
  expect(group('6.6.6.6, nobody, 10.0.0.1', ['10.0.0.0/8'])).toBe('10.0.0.1')
  expect(clientGroup(new Headers(), [])).toBe('unknown')
})
