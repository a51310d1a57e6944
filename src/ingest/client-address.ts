/** The sender's address: the socket's, or what a trusted proxy says. Anyone can write X-Forwarded-For. */
import { isIP } from 'node:net'
import { createPeerList, plainAddress } from '#lib/peer-list.ts'

export type AddressReader = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/** `trusted`: addresses and CIDR ranges, version 4 or 6. */
export function createAddressReader(trusted: string[]): AddressReader {
  const proxies = createPeerList(trusted)

  return (socketAddress, forwardedFor) => {
    const peer = plainAddress(socketAddress ?? '')
    if (forwardedFor === undefined || !proxies.has(peer)) return peer
    // Each proxy appends who spoke to it: from the right, the first that is not ours is the sender.
    let nearest = peer
    for (const part of forwardedFor.split(',').reverse()) {
      const address = plainAddress(part.trim())
      if (isIP(address) === 0) return nearest
      nearest = address
      if (!proxies.has(address)) return nearest
    }
    return nearest
  }
}
