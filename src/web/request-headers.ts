import type { RequestOrigin } from '#domain/access/command-context.ts'
import { createAddressReader } from '#lib/client-address.ts'
import { addressGroup } from '#lib/peer-list.ts'
import { getRuntime } from '#runtime.ts'

/** The address of the client. Main appends its peer to X-Forwarded-For, so the last entry is the peer of main. */
export function clientAddress(headers: Pick<Headers, 'get'>, trustedProxies: string[]): string {
  const [, forwardedFor, peer = ''] = /^(?:(.*),)?([^,]*)$/s.exec(headers.get('x-forwarded-for') ?? '') ?? []
  return createAddressReader(trustedProxies)(peer.trim(), forwardedFor)
}

/** The address group of the client, for limits. */
export const clientGroup = (headers: Pick<Headers, 'get'>, trustedProxies: string[]): string =>
  addressGroup(clientAddress(headers, trustedProxies))

/** Where a request comes from, for the audit log. */
export const originOf = (headers: Pick<Headers, 'get'>): RequestOrigin => ({
  address: clientAddress(headers, getRuntime().config.trustedProxies),
  agent: headers.get('user-agent') ?? '',
})
