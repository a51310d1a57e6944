import { describe, expect, it } from 'vitest'
import { isSensitiveKey } from './is-sensitive-key.ts'
import { hasLeaves, scrubLeaves } from './scrub-leaves.ts'

describe('keys whose values are private', () => {
  it.each([
    'password',
    'Password',
    'user_password',
    'passwd',
    'secret',
    'client-secret',
    'token',
    'accessToken',
    'X-Api-Key',
    'apiKey',
    'api_key',
    'Authorization',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
    'cookies',
    'x-csrf-token',
    'xsrf',
    'sessionId',
    'PHPSESSID',
    'connect.sid',
    'card',
    'creditCard',
    'card_number',
    'cvv',
    'private_key',
    'auth',
    'x-auth',
    'http.request.header.cookie',
    'http.request.header.authorization',
    'http.request.header.x-api-key',
  ])('%s', key => {
    expect(isSensitiveKey(key)).toBe(true)
  })

  it.each([
    'author',
    'authority',
    'gen_ai.usage.input_tokens',
    'max_tokens',
    'tokenizer',
    'key',
    'id',
    'session',
    'keyboard',
    'passenger',
    'discard',
    'url.full',
    'http.request.header.user-agent',
    'sentry.trace_id',
    'sentry-trace',
    'baggage',
    'public_key',
    'company',
  ])('%s is not one', key => {
    expect(isSensitiveKey(key)).toBe(false)
  })
})

describe('values under a private key', () => {
  it('keep their structure and what the SDK filtered', () => {
    const cookies = { theme: 'dark', sid: '[Filtered]', list: ['a', 1, true, null] }
    expect(scrubLeaves(cookies)).toEqual({
      theme: '[scrubbed]',
      sid: '[Filtered]',
      list: ['[scrubbed]', '[scrubbed]', true, null],
    })
  })

  it('need no note when nothing is left to remove', () => {
    expect(hasLeaves({ a: '[Filtered]', b: '', c: null, d: true })).toBe(false)
    expect(hasLeaves({ a: ['x'] })).toBe(true)
  })
})
