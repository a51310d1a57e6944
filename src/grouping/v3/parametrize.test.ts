import { describe, expect, it } from 'vitest'
import { growthOf, linearGrowth } from '../../../test/growth-of.ts'
import { parametrize } from './parametrize.ts'

describe('parametrize of version 3 replaces values by their kind', () => {
  it.each([
    ['Order #1231 failed', 'Order #<value> failed'],
    ['Minified React error #418', 'Minified React error #418'],
    ['Order 415-908, 2024-0042', 'Order <value>'],
    ['worker-3 died', 'worker-<value> died'],
    ['1231_thumbnail.jpg and img_3f26.jpg', '<value>_thumbnail.jpg and img_<value>.jpg'],
    ['report_final_v12', 'report_final_v<value>'],
    ['customer cus_NffrFeUfNV2Hib', 'customer cus_<value>'],
    ['key V1StGXR8_Z5jdHi6B-myT', 'key <value>'],
    ['user42 on node17', 'user<value> on node<value>'],
    ['address2 is missing', 'address2 is missing'],
    ['E11000 and TS2345', 'E11000 and TS2345'],
    ['token deadbeef, not facade', 'token <value>, not facade'],
    ['id 0123456789abcdef0123456789abcdef', 'id <value>'],
    ['traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'traceparent <value>'],
    ['20060102T150405Z', '<date>'],
    ['at 10:30, 3:04PM and 5 am', 'at <date>, <date> and <date>'],
    ['Mon Jan 2 15:04:05 2006', '<date>'],
    ['Monday, 02-Jan-06 15:04:05 UTC', '<date>'],
    ['Sun, 15 Nov 2026 03:06:47 GMT passed', '<date> passed'],
    ['may 5 items be sold', 'may <value> items be sold'],
    ['on 2026-11-15 10:00:01+01:00, again', 'on <date>, again'],
    ['1e-7 is 3.2e-9', '<value> is <value>'],
    ['1, 2, 3 of 3/10', '<value> of <value>'],
    ['v1.2.3 but v2', '<value> but v2'],
    ['21st try, 120px', '<value> try, <value>'],
    ['took 1h 30m, then 12.5ms', 'took <duration>, then <duration>'],
    ['body of 12 MB', 'body of <size>'],
    ['{"id":1,"ok":true}', '{"id":<value>,"ok":<boolean>}'],
    ['expected true, got false', 'expected true, got <boolean>'],
    ['status code 404, status: 500, HTTP 503', 'status code 404, status: 500, HTTP 503'],
    ['exited with code 137', 'exited with code 137'],
    ['SQLSTATE[42P01]', 'SQLSTATE[42P01]'],
    ['Error 1062 in row 5', 'Error 1062 in row <value>'],
    ['POST /a failed: 503', 'POST /a failed: 503'],
    ['failed: 503 of 600 rows', 'failed: <value> of <value> rows'],
    ['from 10.0.0.1:8080 and [::1]', 'from <ip>:<value> and [<ip>]'],
    ['device 00:1B:44:11:3A:B7', 'device <value>'],
    ['mail to a.b+c@example.com', 'mail to <email>'],
    ['GET https://x.example/a?b=1', 'GET <url>'],
    ['mx1.shop.example is full', '<host> is full'],
    ['this.props.shop in ASP.NET, socket.io', 'this.props.shop in ASP.NET, socket.io'],
    ['getaddrinfo ENOTFOUND db-3.prod.internal', 'getaddrinfo ENOTFOUND db-<value>.prod.internal'],
    ['network request failed s3.shop.example', 'network request failed s3.shop.example'],
    ['fetch https://u:p@api2.shop.example:80/v1 failed', 'fetch <url of api<value>.shop.example> failed'],
    ["Cannot find module './checkout'", "Cannot find module './checkout'"],
    ["Cannot find module '@shop/ui-v2/card'", "Cannot find module '@shop/ui-v<value>/card'"],
    ['"theme" of `Cart` is ‘on’', '"theme" of `Cart` is ‘on’'],
    ['"a@b.example" and \'SPRING-24\'', '<quoted> and <quoted>'],
    ["open '/tmp/upload-82/a.pdf'", 'open <quoted>'],
    ['“this is far too long” was cut', '<quoted> was cut'],
    ["encoding 'utf8' of 'h2'", "encoding 'utf8' of 'h2'"],
    ["can't pay, it's late", "can't pay, it's late"],
    ['sha256 of utf8 in es2015', 'sha256 of utf8 in es2015'],
    ['one\n\n  two 2\nthree 3', 'one\n  two <value>'],
    ['  \n ', ''],
  ])('%s → %s', (message, expected) => {
    expect(parametrize(message)).toBe(expected)
  })

  it('takes linear time, even for a megabyte of hostile text', () => {
    const pieces = [
      ...['a', '1', "'", "' ", 'a@', 'a.', 'f0', '1:', '::', 'a://', '-1', '\n', ' ', 'jan 1', 'a1-', '“', '1.', 'a.1'],
      ...[
        '1, ',
        '1h ',
        'true',
        'a_1',
        '#1',
        "'a.1 ",
        'fetch a.',
        'v1.',
        '1e1',
        'a-',
        '"1',
        'deadbeef',
        'x.dev',
        'status ',
      ],
    ]
    for (const piece of pieces) {
      const run = (size: number) => {
        const text = piece.repeat(Math.ceil(size / piece.length))
        expect(parametrize(text).length).toBeLessThanOrEqual(8_000)
      }
      expect(growthOf(run, 125_000)).toBeLessThan(linearGrowth)
    }
  })
})
