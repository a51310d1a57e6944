import { cookiePrefix, sessionCookie } from '#lib/session-cookie.ts'

/** Without this cookie there can't be a session, so callers can skip better-auth. */
export const hasSessionCookie = (headers: Headers): boolean => sessionCookie.test(headers.get('cookie') ?? '')

/** The token of the session in the database. The cookie appends a dot and a signature. Null without a cookie. */
export function sessionToken(headers: Headers): string | null {
  const [, value] = sessionCookie.exec(headers.get('cookie') ?? '') ?? []
  return value === undefined ? null : (/^[^.%]*/.exec(value)?.[0] ?? null)
}

/** The password was right, and the code of the authenticator app is missing. */
const codeCookie = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${cookiePrefix}\\.two_factor=`)
export const hasCodeCookie = (headers: Headers): boolean => codeCookie.test(headers.get('cookie') ?? '')
