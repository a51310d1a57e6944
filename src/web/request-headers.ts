import { headers } from 'next/headers'
import type { RequestOrigin } from '#domain/access/command-context.ts'
import { createAddressReader } from '#lib/client-address.ts'
import { addressGroup } from '#lib/peer-list.ts'
import { getRuntime } from '#runtime.ts'
import { isSetupCode, loadSecret } from '#store/control/secret.ts'
import { getSetupLimit } from './guess-limit.ts'

/** The address of the client. Main appends its peer to X-Forwarded-For, so the last entry is the peer of main. */
export function clientAddress(headers: Pick<Headers, 'get'>, trustedProxies: string[]): string {
  const [, forwardedFor, peer = ''] = /^(?:(.*),)?([^,]*)$/s.exec(headers.get('x-forwarded-for') ?? '') ?? []
  return createAddressReader(trustedProxies)(peer.trim(), forwardedFor)
}

/** The address group of the client, for limits. */
export const clientGroup = (headers: Pick<Headers, 'get'>, trustedProxies: string[]): string =>
  addressGroup(clientAddress(headers, trustedProxies))

/** Where a request comes from, for the audit log. */
export const originOf = (headers: Pick<Headers, 'get'>): RequestOrigin => ({
  address: clientAddress(headers, getRuntime().config.trustedProxies),
  agent: headers.get('user-agent') ?? '',
})

/** Null if the code is right, else an error message. Only wrong codes count towards the limit. */
export async function checkSetupCode(code: string): Promise<string | null> {
  const { config } = getRuntime()
  const reserved = getSetupLimit().reserve(clientGroup(await headers(), config.trustedProxies))
  if (!reserved.ok) return `Too many attempts. Try again in ${Math.ceil(reserved.waitMs / 60_000)} min.`
  if (!isSetupCode(loadSecret(config), code))
    return 'Wrong setup code. Copy it from the terminal or log where Hydrant was started.'
  reserved.succeed()
  return null
}
