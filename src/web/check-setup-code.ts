import { headers } from 'next/headers'
import { getRuntime } from '#runtime.ts'
import { isSetupCode, loadSecret } from '#store/control/secret.ts'
import { getSetupLimit } from './guess-limit.ts'
import { clientGroup } from './request-headers.ts'

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
