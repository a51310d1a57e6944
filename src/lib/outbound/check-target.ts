/** Decides which servers a URL of a member may reach. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback, plainAddress } from '#lib/peer-list.ts'
import { type AllowList, createAllowList } from './allow-list.ts'
import { isPublicAddress } from './public-address.ts'

export type TargetFault =
  | 'url_invalid'
  | 'scheme_refused'
  | 'credentials_refused'
  | 'port_refused'
  | 'address_refused'
  | 'own_address'

export type TargetRules = {
  allow: AllowList
  /** Where this Hydrant listens and how the outside reaches it: it must not call itself. */
  own: { port: number; publicHost: string }
}

export function createTargetRules(given: { allow: readonly string[]; port: number; publicUrl: string }): TargetRules {
  const publicUrl = URL.parse(given.publicUrl)
  return {
    allow: createAllowList(given.allow),
    own: { port: given.port, publicHost: publicUrl === null ? '' : `${hostOf(publicUrl)}:${portOf(publicUrl)}` },
  }
}

type Target = { url: URL; hostname: string; port: number }
type CheckedTarget = { ok: true; target: Target } | { ok: false; code: TargetFault }

const maxUrlChars = 2_000

/** Everything that can be said without resolving the name. `URL` has already turned 0x7f.1, 2130706433 and 127.1 into 127.0.0.1. */
export function checkTarget(rules: TargetRules, text: string): CheckedTarget {
  const url = text.length > maxUrlChars ? null : URL.parse(text)
  if (url === null || url.hostname === '') return { ok: false, code: 'url_invalid' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, code: 'scheme_refused' }
  if (url.username !== '' || url.password !== '') return { ok: false, code: 'credentials_refused' }
  const target = { url, hostname: hostOf(url), port: portOf(url) }
  if (`${target.hostname}:${target.port}` === rules.own.publicHost) return { ok: false, code: 'own_address' }
  // The addresses of other names are checked when they are resolved.
  const known = isIP(target.hostname) !== 0 ? [target.hostname] : isLocalName(target.hostname) ? localAddresses : []
  const faults = known.map(address => findAddressFault(rules, target, address))
  const [code] = faults
  return code && !faults.includes(null) ? { ok: false, code } : { ok: true, target }
}

const localAddresses = ['127.0.0.1', '::1']

/** RFC 6761, and what distributions write into /etc/hosts. */
const isLocalName = (hostname: string): boolean =>
  /^(?:.+\.)?localhost$/.test(hostname) || ['localhost.localdomain', 'ip6-localhost', 'ip6-loopback'].includes(hostname)

/** Checks an address that a name resolved to, or that the URL names. */
export function findAddressFault(
  rules: TargetRules,
  { hostname, port }: Pick<Target, 'hostname' | 'port'>,
  resolved: string,
): TargetFault | null {
  const address = plainAddress(resolved)
  if (port === rules.own.port && isOfThisMachine(address)) return 'own_address'
  if (rules.allow.hasHost(hostname) || rules.allow.hasAddress(address)) return null
  if (!isUsualPort(port)) return 'port_refused'
  return isPublicAddress(address) ? null : 'address_refused'
}

const isUsualPort = (port: number): boolean => port === 80 || port === 443 || (port >= 8_000 && port <= 9_000)

/** Without brackets and without the dot of an absolute name. */
function hostOf({ hostname }: URL): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return bare.endsWith('.') ? bare.slice(0, -1) : bare
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port))

function isOfThisMachine(address: string): boolean {
  if (isLoopback(address) || address === '0.0.0.0' || address === '::') return true
  return Object.values(networkInterfaces()).some(list => list?.some(each => each.address === address))
}
