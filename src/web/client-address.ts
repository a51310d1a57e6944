import { addressGroup } from '#lib/address-group.ts'
import { createPeerList } from '#lib/peer-list.ts'

/**
 * Who sent a request, as a group of addresses. Main writes the peer last and drops what an untrusted one claims, so the first entry
 * from the right that is no proxy of ours is the one to count; entries before it anybody can write.
 */
export function clientGroup(forwardedFor: string | null, trustedProxies: string[]): string {
  const proxies = createPeerList(trustedProxies)
  const hops = (forwardedFor ?? '').split(',').map(hop => hop.trim())
  return addressGroup(hops.findLast(hop => !proxies.has(hop)) ?? hops[0] ?? '')
}
