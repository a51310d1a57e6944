'use server'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { setUp } from '#commands/set-up.ts'
import type { Config } from '#config.ts'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'
import { isSetupCode } from '#store/control/setup-code.ts'
import { type ActionState, failed } from '#web/action-state.ts'
import { clientGroup } from '#web/client-address.ts'
import { faultMessage } from '#web/fault-message.ts'
import { getSetupLimit } from '#web/setup-limit.ts'
import { signIn } from '#web/sign-in.ts'
import { slugify } from '#web/slugify.ts'

const text = z.string().max(254)
const firstRun = z.object({ code: text, name: text, email: text, password: text, organization: text, project: text })

/** Open to everybody who knows the code that was printed at start, until somebody has used it: the command refuses once there is a user. */
export async function submitSetup(_previous: ActionState, form: FormData): Promise<ActionState> {
  const parsed = firstRun.safeParse(Object.fromEntries(form))
  if (!parsed.success) return failed('Some fields are missing.', form)
  const { code, name, email, password, organization, project } = parsed.data
  const { control, clock, config } = getRuntime()
  const refusal = await refuseCode(code, config)
  if (refusal !== null) return failed(refusal, form, { code: refusal })
  const result = await setUp(
    { db: control.db, actor: 'setup', now: clock.now },
    {
      owner: { name, email, password },
      organization: { slug: slugify(organization), name: organization },
      project: { slug: slugify(project), name: project },
    },
  )
  if (result.ok) {
    await signIn(email, password)
    redirect(`/${result.organization.slug}/projects/${result.project.slug}`)
  }
  const message = faultMessage(result.code)
  if (message === null) throw new Error(`setup refused with a code that no form knows: ${result.code}`)
  if (result.field === null) return failed(message, form)
  return failed('One field needs another look.', form, { [formField(result.field, result.code)]: message })
}

/** Counted before it is compared, and only wrong ones are kept: a fault in another field is no guess. */
async function refuseCode(code: string, config: Config): Promise<string | null> {
  const address = clientGroup((await headers()).get('x-forwarded-for'), config.trustedProxies)
  const reserved = getSetupLimit().reserve(address)
  if (!reserved.ok) return `Too many attempts. Try again in ${Math.ceil(reserved.waitMs / 60_000)} min.`
  if (!isSetupCode(loadSecret(config), code))
    return 'This setup code is wrong. Copy it from the terminal or log where Hydrant was started.'
  reserved.succeed()
  return null
}

function formField(part: 'owner' | 'organization' | 'project', code: string): string {
  if (part !== 'owner') return part
  return code.startsWith('password') ? 'password' : 'email'
}
