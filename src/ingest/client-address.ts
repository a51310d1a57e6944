/** The sender's address: the socket's, or what a trusted proxy says. Anyone can write X-Forwarded-For. */

import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { createPeerList, plainAddress } from '#lib/peer-list.ts'
import { matchRoute, type Route } from './endpoint.ts'

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

/** Shared between requests: read it, never change it. */
type Address = { route: Route | null; query: URLSearchParams }

/** An SDK posts to one URL for its whole life, so the last ones are cached. Longer ones carry data and are not. */
const maxCachedAddresses = 500
const maxCachedLength = 300

export function createAddressBook(): (url: string | undefined) => Address {
  const known = new LRUCache<string, Address>({ max: maxCachedAddresses })
  return (url = '/') => {
    const found = known.get(url)
    if (found !== undefined) return found
    const address = readAddress(url)
    if (url.length <= maxCachedLength) known.set(url, address)
    return address
  }
}

function readAddress(url: string): Address {
  const mark = url.indexOf('?')
  if (mark === -1) return { route: matchRoute(url), query: new URLSearchParams() }
  return { route: matchRoute(url.slice(0, mark)), query: new URLSearchParams(url.slice(mark + 1)) }
}
