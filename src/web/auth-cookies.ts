import { cookiePrefix, sessionCookie } from '#lib/session-cookie.ts'

/** Without this cookie there is no session, which saves a call of better-auth. */
export const hasSessionCookie = (headers: Headers): boolean => sessionCookie.test(headers.get('cookie') ?? '')

/** What names the session in the database; the cookie has its signature behind a dot. Null without a cookie. */
export function sessionToken(headers: Headers): string | null {
  const [, value] = sessionCookie.exec(headers.get('cookie') ?? '') ?? []
  return value === undefined ? null : (/^[^.%]*/.exec(value)?.[0] ?? null)
}

/** The password was right, and the code of the authenticator app is missing. */
const codeCookie = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${cookiePrefix}\\.two_factor=`)
export const hasCodeCookie = (headers: Headers): boolean => codeCookie.test(headers.get('cookie') ?? '')
