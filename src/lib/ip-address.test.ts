import { expect, test } from 'vitest'
import { addressSpellings, canonicalAddress } from './ip-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  [' ::ffff:127.0.0.1 ', '127.0.0.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
  ['2001:0:0:1:0:0:1:1', '2001::1:0:0:1:1'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['::1', '::1'],
  ['1::', '1::'],
  ['fe80::1%eth0', 'fe80::1'],
  ['{{auto}}', '{{auto}}'],
  ['999.1.1.1', '999.1.1.1'],
  ['a:b', 'a:b'],
  ['1'.repeat(100_000), '1'.repeat(100_000)],
  ['', ''],
])('%.40s is stored as %.40s', (sent, stored) => {
  expect(canonicalAddress(sent)).toBe(stored)
  expect(canonicalAddress(canonicalAddress(sent))).toBe(stored)
})

test('every spelling of an address finds what was stored in any of them', () => {
  const four = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']
  for (const typed of four) expect(addressSpellings(typed)).toEqual(four)
  expect(addressSpellings(' ::FFFF:203.0.113.7')).toEqual([...four, ' ::FFFF:203.0.113.7'])
  expect(addressSpellings('2001:db8::1')).toEqual([
    '2001:db8::1',
    '2001:db8:0:0:0:0:0:1',
    '2001:0db8:0000:0000:0000:0000:0000:0001',
  ])
  expect(addressSpellings('u-7')).toEqual(['u-7'])
})
