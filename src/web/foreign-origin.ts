import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Pages take POST requests from their own forms only. Next checks that too, but answers 500, and throws if the origin is
 * not a URL. Routes below /api/ have their own checks. Returns true if the request was refused.
 */
export function refuseForeignOrigin({ method, url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = headers
  if (method !== 'POST' || origin === undefined || url.startsWith('/api/')) return false
  const [forwarded = ''] = String(headers['x-forwarded-host'] ?? '').split(',')
  const own = forwarded.trim() || headers.host
  if (URL.parse(origin)?.host === own) return false
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end('This form was sent from another site.\n')
  return true
}
