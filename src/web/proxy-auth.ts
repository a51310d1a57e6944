import type { Config } from '#config.ts'
import { createPeerList } from '#lib/peer-list.ts'

type ProxyConfig = Pick<Config, 'proxyAuthHeader' | 'trustedProxies'>

/**
 * The address of the member whom a proxy in front of Hydrant has signed in, or null. Off unless a header is configured, and believed
 * only if the proxy is the direct peer: anyone else can send a header too. Main appends its peer to X-Forwarded-For.
 */
export function readProxyEmail(
  headers: Pick<Headers, 'get'>,
  { proxyAuthHeader, trustedProxies }: ProxyConfig,
): string | null {
  if (proxyAuthHeader === undefined) return null
  const peer = (headers.get('x-forwarded-for') ?? '').split(',').at(-1)?.trim() ?? ''
  if (!createPeerList(trustedProxies).has(peer)) return null
  const email = (headers.get(proxyAuthHeader) ?? '').trim().toLowerCase()
  // Two headers of the same name arrive as one text with a comma: then one of them is not the proxy's.
  return /^[^\s@,]+@[^\s@,]+$/.test(email) && email.length <= 254 ? email : null
}
