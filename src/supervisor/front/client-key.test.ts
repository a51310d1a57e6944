import { expect, test } from 'vitest'
import { sessionKey } from './client-key.ts'

test('a session or token always has the same key, which does not contain it', () => {
  const first = sessionKey({ cookie: 'theme=dark; hydrant.session_token=abc.def; tz=UTC' })
  expect(first).toBe(sessionKey({ cookie: '__Secure-hydrant.session_token=abc.def' }))
  expect(first).not.toBe(sessionKey({ cookie: 'hydrant.session_token=abc.xyz' }))
  expect(first).not.toContain('abc')
  expect(sessionKey({ authorization: 'Bearer t1' })).not.toBe(sessionKey({ authorization: 'Bearer t2' }))
})

test('a request without a session has no key', () => {
  expect([
    sessionKey({}),
    sessionKey({ cookie: 'theme=dark' }),
    sessionKey({ cookie: 'hydrant.session_token=' }),
    sessionKey({ cookie: 'x-hydrant.session_token=1' }),
  ]).toEqual([null, null, null, null])
})
