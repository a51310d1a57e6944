/** The client's IP address: the socket's, or X-Forwarded-For when it comes from a trusted proxy. */
import { isIP } from 'node:net'
import { createPeerList, plainAddress } from './peer-list.ts'

export type AddressReader = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/** `trusted`: addresses and CIDR ranges, version 4 or 6. */
export function createAddressReader(trusted: string[]): AddressReader {
  const proxies = createPeerList(trusted)

  return (socketAddress, forwardedFor) => {
    const peer = plainAddress(socketAddress ?? '')
    if (forwardedFor === undefined || !proxies.has(peer)) return peer
    // Each proxy appends the address of its peer: from the right, the first that is not a trusted proxy is the client.
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
