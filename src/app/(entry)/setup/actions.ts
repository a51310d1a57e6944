'use server'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { setUp } from '#domain/projects/provision.ts'
import type { TurnedAway } from '#lib/submission.ts'
import { getRuntime } from '#runtime.ts'
import { type ActionState, failed, faultMessage } from '#web/action-state.ts'
import { checkSetupCode } from '#web/check-setup-code.ts'
import { once } from '#web/once.ts'
import { signIn } from '#web/sign-in.ts'
import { slugify } from '#web/slugify.ts'
import { answered } from '#web/turned-away.ts'

const text = z.string().max(254)
const firstRun = z.object({ code: text, name: text, email: text, password: text, organization: text, project: text })

/** Needs the setup code that was printed at start. The command rejects it once there is a user. */
export async function submitSetup(_previous: ActionState, form: FormData): Promise<ActionState | TurnedAway> {
  return answered(form, () => setUpServer(form))
}

async function setUpServer(form: FormData): Promise<ActionState> {
  const parsed = firstRun.safeParse(Object.fromEntries(form))
  if (!parsed.success) return failed('Fill in all fields.', form)
  const { code, name, email, password, organization, project } = parsed.data
  const missing = missingFields(parsed.data)
  if (Object.keys(missing).length > 0) return failed('Check the marked fields.', form, missing)
  const { control, clock } = getRuntime()
  const codeError = await checkSetupCode(code)
  if (codeError !== null) return failed(codeError, form, { code: codeError })
  const result = await once(form, 'setup', () =>
    setUp(
      { db: control.db, actor: 'setup', now: clock.now },
      {
        owner: { name, email, password },
        organization: { slug: slugify(organization), name: organization },
        project: { slug: slugify(project), name: project },
      },
    ),
  )
  if (result.ok) {
    await signIn(email, password)
    redirect(`/${result.organization.slug}/projects/${result.project.slug}`)
  }
  const message = faultMessage(result.code)
  if (message === null) throw new Error(`setup failed with an unknown code: ${result.code}`)
  if (result.field === null) return failed(message, form)
  return failed('Check the marked field.', form, { [formField(result.field, result.code)]: message })
}

/** Checked before the code, so that an empty field costs no attempt. */
function missingFields(given: z.output<typeof firstRun>): Record<string, string> {
  const wanted = {
    code: 'Enter the setup code.',
    email: 'Enter your email.',
    password: 'Choose a password.',
    organization: 'Enter a name for the organization.',
    project: 'Enter a name for the project.',
  }
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => given[name as keyof typeof wanted].trim() === ''))
}

function formField(part: 'owner' | 'organization' | 'project', code: string): string {
  if (part !== 'owner') return part
  return code.startsWith('password') ? 'password' : 'email'
}
