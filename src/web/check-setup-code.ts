import { headers } from 'next/headers'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'
import { isSetupCode } from '#store/control/setup-code.ts'
import { clientGroup } from './client-address.ts'
import { getSetupLimit } from './setup-limit.ts'

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
