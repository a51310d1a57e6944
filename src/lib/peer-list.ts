/** A list of IPv4 and IPv6 addresses and CIDR ranges. */
import { BlockList, isIP } from 'node:net'

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

/** Without port, brackets, or the `::ffff:` prefix of IPv4 on a dual-stack socket. */
export function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(text)?.[1]
  const address = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
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
  const address = plainAddress(text.trim()).replace(/%.*/s, '').toLowerCase()
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6) return 'unknown'
  const parts = expand(address)
  const isMapped = parts.slice(0, 5).every(part => part === 0) && parts[5] === 0xffff
  if (isMapped) return parts.slice(6).flatMap(octets).join('.')
  return `${parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}

const octets = (part: number): number[] => [part >> 8, part & 0xff]

/** The eight numbers of a valid IPv6 address. */
function expand(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const before = partsOf(head)
  if (tail === undefined) return before
  const after = partsOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function partsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap(part => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}
