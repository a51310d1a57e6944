import { headers } from 'next/headers'
import { addressGroup, createPeerList } from '#lib/peer-list.ts'
import { getRuntime } from '#runtime.ts'
import { isSetupCode, loadSecret } from '#store/control/secret.ts'
import { getSetupLimit } from './guess-limit.ts'

/**
 * The address group of the client. Main appends the peer and drops headers of untrusted peers, so the last entry that is not a trusted
 * proxy is the client; earlier entries can be forged.
 */
export function clientGroup(forwardedFor: string | null, trustedProxies: string[]): string {
  const proxies = createPeerList(trustedProxies)
  const hops = (forwardedFor ?? '').split(',').map(hop => hop.trim())
  return addressGroup(hops.findLast(hop => !proxies.has(hop)) ?? hops[0] ?? '')
}

/** Null if the code is right, else an error message. Only wrong codes count towards the limit. */
export async function checkSetupCode(code: string): Promise<string | null> {
  const { config } = getRuntime()
  const reserved = getSetupLimit().reserve(clientGroup((await headers()).get('x-forwarded-for'), config.trustedProxies))
  if (!reserved.ok) return `Too many attempts. Try again in ${Math.ceil(reserved.waitMs / 60_000)} min.`
  if (!isSetupCode(loadSecret(config), code))
    return 'Wrong setup code. Copy it from the terminal or log where Hydrant was started.'
  reserved.succeed()
  return null
}
