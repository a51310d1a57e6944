import { describe, expect, it } from 'vitest'
import { growthOf, linearGrowth } from '../../../test/growth-of.ts'
import { parametrize } from './parametrize.ts'

describe('parametrize replaces values by their kind', () => {
  it.each([
    ['user 42 not found', 'user <number> not found'],
    ['failed at 1794702450054', 'failed at <number>'],
    ['balance is -12.50 or 1,200.75', 'balance is <number> or <number>'],
    ['order-10045 and user_77 gone', 'order-<number> and user_<number> gone'],
    ['at 2026-11-15T00:22:04.548Z', 'at <date>'],
    ['on 2026-11-15 10:00:01+01:00, again', 'on <date>, again'],
    ['Sun, 15 Nov 2026 03:06:47 GMT passed', '<date> passed'],
    ['Sun Nov 15 2026 10:00:00 GMT+0100', '<date>'],
    ['due 15/11/2026', 'due <date>'],
    ['GET https://x.example/a?b=1 failed', 'GET <url> failed'],
    ['open postgres://u@db:5432/shop now', 'open <url> now'],
    ['mail to a.b+c@example.com', 'mail to <email>'],
    ['id 0123456789abcdef0123456789abcdef', 'id <uuid>'],
    ['id 8C9E1B34-7A0D-4F6E-9B1C-2D3E4F5A6B7C', 'id <uuid>'],
    ['commit 3f2a91c', 'commit <hex>'],
    ['etag da39a3ee5e6b4b0d3255bfef95601890afd80709', 'etag <hex>'],
    ['at address 0x7ffee4c0', 'at address <hex>'],
    ['from 10.0.0.1:8080', 'from <ip>:<number>'],
    ['from fe80::1ff:fe23:4567:890a', 'from <ip>'],
    ['from ::1', 'from <ip>'],
    ['from 2001:0db8:85a3:0000:0000:8a2e:0370:7334', 'from <ip>'],
    ['device 00:1B:44:11:3A:B7', 'device <mac>'],
    ['took 12.5ms, then 3 seconds', 'took <duration>, then <duration>'],
    ['body of 12 MB', 'body of <size>'],
    ["no item named 'blue shoe'", 'no item named <quoted>'],
    ['no item named "blue shoe"', 'no item named <quoted>'],
    ['no item named `x`', 'no item named <quoted>'],
    ["can't pay, it's late", "can't pay, it's late"],
    ['session ckl9x2f3k0a8 lost', 'session <id> lost'],
    ['key V1StGXR8_Z5jdHi6B-myT', 'key <id>'],
    ['Request failed with status code 404', 'Request failed with status code 404'],
    ['Minified React error #418', 'Minified React error #418'],
    ['sha256 of utf8 in es2015', 'sha256 of utf8 in es2015'],
    ['facade decade', 'facade decade'],
    ['one\n\n  two 2\nthree 3', 'one\n  two <number>'],
    ['  \n ', ''],
  ])('%s → %s', (message, expected) => {
    expect(parametrize(message)).toBe(expected)
  })

  it('takes linear time, even for a megabyte of hostile text', () => {
    const pieces = ['a', '1', "'", "' ", 'a@', 'a.', 'f0', '1:', '::', 'a://', '-1', '\n', ' ', 'jan 1', 'a1-', '“']
    for (const piece of pieces) {
      const run = (size: number) => {
        const text = piece.repeat(Math.ceil(size / piece.length))
        expect(parametrize(text).length).toBeLessThanOrEqual(8_000)
      }
      expect(growthOf(run, 125_000)).toBeLessThan(linearGrowth)
    }
  })
})
