/** Signs in whoever opens a page without a session. Only `npm run dev` loads this file; `may-sign-in.ts` says which requests it is for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getAuth } from '#web/auth.ts'
import { hasSessionCookie } from '#web/auth-cookies.ts'
import { webContext } from '#web/web-context.ts'
import { owner } from './first-data.ts'
import { signInHeader } from './sign-in-header.ts'

export async function signInOwner(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isMarked = request.headers[signInHeader] === '1'
  const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
  if (!isMarked || !isPage || (await hasSession(request))) return
  const user = await webContext().db.selectFrom('user').select('id').where('email', '=', owner.email).executeTakeFirst()
  if (user === undefined) return
  const auth = await getAuth()
  const started = await auth.api.startSession({
    body: { userId: user.id, method: 'development', secondFactor: true, factorAt: Date.now() },
    headers: headersOf(request),
    returnHeaders: true,
  })
  const set = started.headers.getSetCookie()
  response.appendHeader('set-cookie', set)
  const given = set.map(cookie => cookie.split(';', 1)[0])
  request.headers.cookie = [otherCookies(request), ...given].filter(Boolean).join('; ')
}

async function hasSession(request: IncomingMessage): Promise<boolean> {
  const headers = headersOf(request)
  if (!hasSessionCookie(headers)) return false
  const auth = await getAuth()
  return (await auth.api.getSession({ headers })) !== null
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers({ cookie: headers.cookie ?? '', 'user-agent': headers['user-agent'] ?? '' })

/** Without a session that has ended. */
const otherCookies = ({ headers }: IncomingMessage): string =>
  (headers.cookie ?? '')
    .split(/;\s*/)
    .filter(cookie => !hasSessionCookie(new Headers({ cookie })))
    .join('; ')
