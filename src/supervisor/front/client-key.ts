import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { sessionCookie } from '#lib/session-cookie.ts'

/** Identifies a session cookie or token for limits without keeping it. Null without one. The session may be invalid. */
export function sessionKey({ cookie, authorization }: IncomingHttpHeaders): string | null {
  const secret = authorization ?? sessionCookie.exec(cookie ?? '')?.[1]
  return secret === undefined || secret === '' ? null : createHash('sha256').update(secret).digest('base64')
}
