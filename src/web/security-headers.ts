import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A year, if the public URL is https. Not for subdomains, which may not be ours. */
const transportSecurity = 'max-age=31536000'

type Options = { isHttps: boolean; contentSecurityPolicy(nonce: string): string }

/** Sets the headers of pages. Next reads the nonce from the request's copy of the policy and adds it to its scripts. */
export function setSecurityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  { isHttps, contentSecurityPolicy }: Options,
): void {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce)
  request.headers['content-security-policy'] = policy
  request.headers['x-nonce'] = nonce
  setUnlessChosen(response, 'Content-Security-Policy', policy)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  if (isHttps) response.setHeader('Strict-Transport-Security', transportSecurity)
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
}

/** Sets the header when the response begins, unless the handler has set it. If we set it earlier, Next would skip the handler's. */
function setUnlessChosen(response: ServerResponse, name: string, value: string): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = (...args: unknown[]) => {
    if (!response.hasHeader(name)) response.setHeader(name, value)
    return writeHead(...args)
  }
}

/** Charts use style attributes, hence style-src-attr; style elements need the nonce. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
