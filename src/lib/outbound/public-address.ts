import { BlockList, isIP } from 'node:net'

/** Special-purpose IPv4 ranges (IANA): this host, private, shared, loopback, link-local, documentation, benchmarks, multicast, reserved. */
const notPublic4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** The exceptions of 2000::/3, the only global unicast range: Teredo and other protocols, documentation, 6to4. */
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
const special4 = listOf(notPublic4, 'ipv4')
const special6 = listOf(notPublic6, 'ipv6')
const unicast6 = listOf(['2000::/3'], 'ipv6')

/**
 * Whether an address is on the public internet. Addresses that carry an IPv4 address inside (mapped, 6to4, NAT64) are not: they
 * could lead to a private one.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special4.check(address, 'ipv4')
  return version === 6 && unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}
