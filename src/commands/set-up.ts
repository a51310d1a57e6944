import { addMember } from './add-member.ts'
import type { CommandContext } from './command-context.ts'
import { type CreateOrganizationResult, createOrganization } from './create-organization.ts'
import { type CreateProjectResult, createProject } from './create-project.ts'
import { createProjectKey } from './create-project-key.ts'
import type { CreateUserResult, NewUser } from './create-user.ts'
import { ensureInternalProject } from './ensure-internal-project.ts'
import { inTransaction } from './in-transaction.ts'
import { insertUser } from './insert-user.ts'
import { lockInstallation } from './lock-installation.ts'
import { hashNewPassword } from './password.ts'

export type FirstRun = {
  owner: NewUser
  organization: { slug: string; name?: string | undefined }
  project: { slug: string; name?: string | undefined; platform?: string | undefined }
}
type Refused<Result> = Extract<Result, { ok: false }>
/** Says which part of the form is meant: `organization` and `project` share their codes. */
export type SetUpResult =
  | {
      ok: true
      userId: string
      organization: { id: number; slug: string }
      project: { id: number; slug: string }
      publicKey: string
    }
  | (Refused<CreateUserResult> & { field: 'owner' })
  | (Refused<CreateOrganizationResult> & { field: 'organization' })
  | (Refused<CreateProjectResult> & { field: 'project' })
  | { ok: false; code: 'already_set_up'; field: null }

/** The first run: an owner, an organisation, a project with its key, and the project for Hydrant's own errors. */
export async function setUp(context: CommandContext, given: FirstRun): Promise<SetUpResult> {
  const { owner, organization, project } = given
  const hashed = await hashNewPassword(owner.password)
  if (!hashed.ok) return { ...hashed, field: 'owner' }
  return inTransaction<SetUpResult>(context, async inner => {
    await lockInstallation(inner)
    if (await hasAnyone(inner)) return { ok: false, code: 'already_set_up', field: null }
    const user = await insertUser(inner, { email: owner.email, name: owner.name, passwordHash: hashed.hash })
    if (!user.ok) return { ...user, field: 'owner' }
    const org = await createOrganization(inner, organization)
    if (!org.ok) return { ...org, field: 'organization' }
    const organizationId = org.organization.id
    const first = await createProject(inner, { ...project, organizationId })
    if (!first.ok) return { ...first, field: 'project' }
    const key = await createProjectKey(inner, { projectId: first.project.id })
    const member = await addMember(inner, { organizationId, userId: user.userId, role: 'owner' })
    if (!key.ok || !member.ok) throw new Error('rows that were just made are not there')
    await ensureInternalProject(inner, organizationId)
    return {
      ok: true,
      userId: user.userId,
      organization: org.organization,
      project: first.project,
      publicKey: key.key.publicKey,
    }
  })
}

async function hasAnyone({ db }: CommandContext): Promise<boolean> {
  const user = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  const organization = await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()
  return user !== undefined || organization !== undefined
}
