import { expect, test } from 'vitest'
import { describeEnded } from './describe-ended.ts'

test.each([
  [{}, ''],
  [{ links: 3, halfSignIns: 1 }, ''],
  [{ passwords: 1 }, 'the password'],
  [{ passwords: 1, sessions: 1 }, 'the password and 1 session'],
  [
    {
      tokens: 1_200,
      passkeys: 2,
      sessions: 2,
      passwords: 1,
      apps: 1,
      trustedBrowsers: 1,
      invitations: 1,
      providers: 1,
    },
    'the password, 2 sessions, the authenticator app, 2 passkeys, 1 trusted browser, the link to an identity provider, 1,200 personal tokens, and 1 open invitation',
  ],
])('what ended is said in words: %j', (ended, text) => {
  expect(describeEnded(ended)).toBe(text)
})
