import { headers } from 'next/headers'
import { addressGroup, createPeerList } from '#lib/peer-list.ts'
import { getRuntime } from '#runtime.ts'
import { isSetupCode, loadSecret } from '#store/control/secret.ts'
import { getSetupLimit } from './guess-limit.ts'

/**
 * Who sent a request, as a group of addresses. Main writes the peer last and drops what an untrusted one claims, so the first entry
 * from the right that is no proxy of ours is the one to count; entries before it anybody can write.
 */
export function clientGroup(forwardedFor: string | null, trustedProxies: string[]): string {
  const proxies = createPeerList(trustedProxies)
  const hops = (forwardedFor ?? '').split(',').map(hop => hop.trim())
  return addressGroup(hops.findLast(hop => !proxies.has(hop)) ?? hops[0] ?? '')
}

/** Null where the code is right, else what to say. Counted before it is compared; only wrong ones stay counted. */
export async function refuseSetupCode(code: string): Promise<string | null> {
  const { config } = getRuntime()
  const reserved = getSetupLimit().reserve(clientGroup((await headers()).get('x-forwarded-for'), config.trustedProxies))
  if (!reserved.ok) return `Too many attempts. Try again in ${Math.ceil(reserved.waitMs / 60_000)} min.`
  if (!isSetupCode(loadSecret(config), code))
    return 'This setup code is wrong. Copy it from the terminal or log where Hydrant was started.'
  reserved.succeed()
  return null
}
