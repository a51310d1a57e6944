import { createPeerList, isPeerEntry } from '#lib/peer-list.ts'

/** What the operator allows requests to reach although it is not public: addresses, CIDR ranges, host names and `*.suffix`. */
export type AllowList = { hasAddress(address: string): boolean; hasHost(hostname: string): boolean }

const hostPattern = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63}){0,10}$/i

export const isAllowEntry = (entry: string): boolean =>
  isPeerEntry(entry) || (hostPattern.test(entry) && !/^[\d.]+$/.test(entry))

export function createAllowList(entries: readonly string[]): AllowList {
  const addresses = createPeerList(entries.filter(isPeerEntry))
  const hosts = entries.filter(entry => !isPeerEntry(entry)).map(entry => entry.toLowerCase())
  return {
    hasAddress: address => addresses.has(address),
    hasHost: hostname =>
      hosts.some(host => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)),
  }
}
