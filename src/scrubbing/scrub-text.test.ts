import { describe, expect, it, test } from 'vitest'
import { growthOf, linearGrowth } from '../../test/growth-of.ts'
import { hasShapes, scrubCode, scrubJwts, scrubText } from './scrub-text.ts'

const scrub = (text: string) => scrubText(text, true)

describe('private values in free text', () => {
  it.each([
    ['login failed password=hunter2 user=bob', 'login failed password=[scrubbed] user=bob'],
    ['https://shop.example/reset?token=abc123&lang=de', 'https://shop.example/reset?token=[scrubbed]&lang=de'],
    ['/cb?access_token=abc&id_token=def#x', '/cb?access_token=[scrubbed]&id_token=[scrubbed]'],
    ['{"user":"bob","password":"hun\\"ter2","n":1}', '{"user":"bob","password":"[scrubbed]","n":1}'],
    ['{"api_key": "sk-123", "pwd": 4}', '{"api_key": "[scrubbed]", "pwd": [scrubbed]}'],
    ['user=bob&password=hunter2&csrf_token=xyz', 'user=bob&password=[scrubbed]&csrf_token=[scrubbed]'],
    ['Authorization: Bearer abc123def456', 'Authorization: [scrubbed]'],
    ['cookie: sid=1; theme=dark', 'cookie: [scrubbed]'],
    ['PASSWORD: hunter2', 'PASSWORD: [scrubbed]'],
    ['sent with Bearer abc123def456ghi', 'sent with Bearer [scrubbed]'],
    ['sent with basic dXNlcjpwYXNzd29yZA==', 'sent with basic [scrubbed]'],
    ['paid with 4111 1111 1111 1111 today', 'paid with [scrubbed] today'],
    ['paid with 4111-1111-1111-1111.', 'paid with [scrubbed].'],
    ['card 5500005555555559', 'card [scrubbed]'],
    ['postgres://app:s3cret@db.internal/shop', 'postgres://app:[scrubbed]@db.internal/shop'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_1', 'jwt [scrubbed]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[scrubbed]'],
  ])('%s', (text, expected) => {
    expect(scrub(text)).toBe(expected)
  })

  it.each([
    'Unexpected token: } in JSON at position 4',
    'Unexpected token < in JSON',
    'password=[Filtered]&token=[Filtered]',
    'http://x/?token=%5BFiltered%5D',
    'used 1200 tokens=4 of the model',
    'Bearer authentication is required',
    'Basic functionality is broken',
    'order 4111111111111112 is no card',
    'trace 86703bfcf97e4247a5b73304605832ce at 1794702124522',
    'sample_rand=0.4111111111111111',
    'took 1794702354.3678157 s',
    'the cookie banner',
    'node:internal/process/task_queues:95:5',
    'http://0123456789abcdef0123456789abcdef@127.0.0.1:9111/42',
  ])('leaves "%s" alone', text => {
    expect(scrub(text)).toBe(text)
  })

  it.each(['password', 'a', '4', '4 ', 'eyJ', 'http://a:', '"', 'token\\"', '-----BEGIN ', 'basic '])(
    'takes no more than its share of time for each char of a text that almost matches: %s',
    piece => {
      expect(growthOf(size => scrub(`${piece.repeat(size / piece.length)}=`), 8_192)).toBeLessThan(linearGrowth)
    },
  )

  it('hasShapes finds payloads with secrets by one search', () => {
    expect(hasShapes('{"message":"paid with 4111 1111 1111 1111"}')).toBe(true)
    expect(hasShapes('{"message":"Bearer abc123def456"}')).toBe(true)
    expect(hasShapes('{"trace_id":"86703bfcf97e4247a5b73304605832ce","t":1794702124.522,"mail":"a@b.example"}')).toBe(
      false,
    )
  })

  it('source code keeps its names and loses private keys', () => {
    expect(scrubCode("const token = read('password')", true)).toBe("const token = read('password')")
    expect(scrubCode("const card = '4111111111111111'", true)).toBe("const card = '[scrubbed]'")
  })
})

test.each([
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_1', 'jwt [scrubbed]'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0', '[scrubbed]'],
  ['token-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0. End', 'token-[scrubbed] End'],
  [
    'xeyJabc-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s, eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.t',
    'xeyJabc-[scrubbed], [scrubbed]',
  ],
  ['eyJshort.eyJzdWIiOiIxMjM0In0', 'eyJshort.eyJzdWIiOiIxMjM0In0'],
  ['xeyJhbGciOiJIUzI1NiJ9.eyJzdWIi', 'xeyJhbGciOiJIUzI1NiJ9.eyJzdWIi'],
])('%s', (text, expected) => {
  expect(scrubJwts(text)).toBe(expected)
})
