/** A list of IPv4 and IPv6 addresses and CIDR ranges. */
import { BlockList, isIP } from 'node:net'
import { canonicalAddress, expandAddress } from './ip-address.ts'

export type PeerList = { has(address: string): boolean }

/** Throws on an invalid entry; settings are validated with `isPeerEntry` before. */
export function createPeerList(entries: string[]): PeerList {
  const list = new BlockList()
  for (const entry of entries) {
    if (!isPeerEntry(entry)) throw new Error(`${JSON.stringify(entry)} is neither an address nor a CIDR range`)
    const [address = '', bits] = entry.split('/')
    const version = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version)
  }
  return {
    has: text => {
      const address = plainAddress(text)
      return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

export function isPeerEntry(entry: string): boolean {
  const [address = '', bits = '0', ...rest] = entry.split('/')
  const version = isIP(address)
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)
}

/** Without port and brackets, in its one spelling: IPv4 on a dual-stack socket is IPv4. */
export function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(text)?.[1]
  const address = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  return canonicalAddress(address)
}

export const isLoopback = (text: string): boolean => {
  const address = plainAddress(text)
  return address === '::1' || address.startsWith('127.')
}

/**
 * The unit for limits per address: an IPv4 address, or the /64 of an IPv6 address, since one home or server can use any address in
 * it. `addressGroup('2001:db8::1')` is `2001:db8:0:0::/64`; a mapped IPv4 address counts as IPv4.
 */
export function addressGroup(text: string): string {
  const address = plainAddress(text.trim())
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6) return 'unknown'
  return `${expandAddress(address)
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
