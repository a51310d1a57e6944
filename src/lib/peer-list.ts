/** A list of addresses and CIDR ranges, version 4 or 6, that an address can be held against. */
import { BlockList, isIP } from 'node:net'

export type PeerList = { has(address: string): boolean }

/** Throws on an entry that is neither an address nor a range: settings are checked with `isPeerEntry` before they come here. */
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

/** Without a port, brackets, or the mapping that a dual-stack socket puts in front of version 4. */
export function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(text)?.[1]
  const address = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

export const isLoopback = (text: string): boolean => {
  const address = plainAddress(text)
  return address === '::1' || address.startsWith('127.')
}
