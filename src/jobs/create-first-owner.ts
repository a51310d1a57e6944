import type { Logger } from 'pino'
import { isSetUp } from '#domain/members/find-membership.ts'
import { setUp } from '#domain/projects/provision.ts'
import type { Control } from '#store/control/control.ts'

type FirstOwner = { email: string; password: string; organization: string; project: string }

/** What the setup page does, with what the environment names. Does nothing once there is a user or an organization. */
export async function createFirstOwner({
  firstOwner,
  control,
  log,
}: {
  firstOwner: FirstOwner | null
  control: Control
  log: Logger
}): Promise<void> {
  // Asked first, because each start would otherwise hash the password.
  if (firstOwner === null || (await isSetUp(control))) return
  const { email, password, organization, project } = firstOwner
  const made = await setUp(
    { db: control.db, actor: 'setup', now: Date.now },
    {
      owner: { email, password, name: email.split('@', 1)[0] ?? email },
      organization: { slug: organization },
      project: { slug: project },
    },
  )
  if (made.ok) log.info({ email, organization, project }, 'created the first owner, organization and project')
  else if (made.code !== 'already_set_up')
    log.error(
      { code: made.code, variable: variables[made.field] },
      "couldn't create the first owner from the environment; use the setup page, or correct the variable and restart",
    )
}

const variables = {
  owner: 'HYDRANT_OWNER_EMAIL or HYDRANT_OWNER_PASSWORD',
  organization: 'HYDRANT_OWNER_ORGANIZATION',
  project: 'HYDRANT_OWNER_PROJECT',
}
