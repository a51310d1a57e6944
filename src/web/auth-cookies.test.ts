import { betterAuth } from 'better-auth'
import { expect, test } from 'vitest'
import { cookiePrefix } from '#lib/session-cookie.ts'
import { hasSessionCookie, sessionToken } from './auth-cookies.ts'

test.each([true, false])('recognizes the session cookie of better-auth (secure: %s)', async useSecureCookies => {
  const auth = betterAuth({
    secret: 'a secret of this test alone, and long enough',
    baseURL: 'https://hydrant.example.com',
    advanced: { useSecureCookies, cookiePrefix },
    telemetry: { enabled: false },
  })
  const { name } = (await auth.$context).authCookies.sessionToken
  expect(hasSessionCookie(new Headers({ cookie: `${name}=x` }))).toBe(true)
  expect(hasSessionCookie(new Headers({ cookie: `hydrant_theme=dark; ${name}=x` }))).toBe(true)
  const cookie = `hydrant_theme=dark; ${name}=aB3.c%2Fd%3D; hydrant_times=utc`
  expect(sessionToken(new Headers({ cookie }))).toBe('aB3')
})

test('other cookies are not a session', () => {
  expect(hasSessionCookie(new Headers())).toBe(false)
  expect(sessionToken(new Headers())).toBeNull()
  expect(hasSessionCookie(new Headers({ cookie: 'hydrant_theme=dark; other.hydrant.session_token=x' }))).toBe(false)
})
