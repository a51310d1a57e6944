import { expect, test } from 'vitest'
import { addressGroup, createPeerList, plainAddress } from './peer-list.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', 'unknown'],
  ['nonsense', 'unknown'],
])('%s is counted as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

test('an address without its port is in one spelling, and in the ranges that name it', () => {
  expect(plainAddress('[2001:DB8::1]:443')).toBe('2001:db8::1')
  expect(plainAddress('::FFFF:cb00:7107')).toBe('203.0.113.7')
  expect(createPeerList(['203.0.113.0/24']).has('::ffff:cb00:7107')).toBe(true)
})
