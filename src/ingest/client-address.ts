/** The sender's address: the socket's, or what a trusted proxy says. Anyone can write X-Forwarded-For. */
import { BlockList, isIP } from 'node:net'

export type AddressReader = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/** `trusted`: addresses and CIDR ranges, version 4 or 6. */
export function createAddressReader(trusted: string[]): AddressReader {
  const proxies = new BlockList()
  for (const entry of trusted) addEntry(proxies, entry)
  const isTrusted = (address: string) => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (socketAddress, forwardedFor) => {
    const peer = plain(socketAddress ?? '')
    if (forwardedFor === undefined || trusted.length === 0 || isIP(peer) === 0 || !isTrusted(peer)) return peer
    // Each proxy appends who spoke to it: from the right, the first that is not ours is the sender.
    let nearest = peer
    for (const part of forwardedFor.split(',').reverse()) {
      const address = plain(part.trim())
      if (isIP(address) === 0) return nearest
      nearest = address
      if (!isTrusted(address)) return nearest
    }
    return nearest
  }
}

function addEntry(proxies: BlockList, entry: string) {
  const [address = '', prefix] = entry.split('/')
  const version = isIP(address)
  const bits = Number(prefix ?? (version === 6 ? 128 : 32))
  if (version === 0 || !Number.isInteger(bits) || bits < 0 || bits > (version === 6 ? 128 : 32)) {
    throw new Error(`HYDRANT_TRUSTED_PROXIES: ${JSON.stringify(entry)} is neither an address nor a CIDR range`)
  }
  proxies.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4')
}

/** Without a port, brackets, or the mapping that a dual-stack socket puts in front of version 4. */
function plain(text: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(text)?.[1]
  const address = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}
