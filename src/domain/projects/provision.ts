import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import {
  addMember,
  type CreateUserResult,
  type EnsureOwnerResult,
  ensureOwner,
  hashNewPassword,
  insertUser,
  type NewUser,
} from '#domain/members/add-member.ts'
import type { PasswordFault } from '#domain/sign-in/password-rules.ts'
import { ensureInitToken } from '#domain/tokens/create-auth-token.ts'
import {
  type CreateOrganizationResult,
  type CreateProjectResult,
  createOrganization,
  createProject,
  type EnsureProjectResult,
  ensureInternalProject,
  ensureProject,
  lockInstallation,
} from './create-project.ts'
import { createProjectKey, type EnsureProjectKeyResult, ensureProjectKey, projectDsn } from './project-keys.ts'

export type ProvisionInput = {
  organizationSlug: string
  owner: { email: string; name?: string | undefined; password?: string | undefined } | null
  project: { slug: string; id?: number | undefined; platform?: string | undefined; publicKey?: string | undefined }
  publicUrl: string
  installationSecret: string
}
type Provisioned = {
  ok: true
  organization: { id: number; slug: string }
  project: { id: number; slug: string }
  dsn: string
  token: string
}
type Refused<Result> = Extract<Result, { ok: false }>
type Refusal =
  | { ok: false; code: 'owner_missing' | PasswordFault }
  | Refused<CreateOrganizationResult>
  | Refused<EnsureOwnerResult>
type ProvisionResult = Provisioned | Refusal | Refused<EnsureProjectResult> | Refused<EnsureProjectKeyResult>

/** Creates what `hydrant init` needs and does not exist yet. Idempotent. */
export async function provision(context: CommandContext, input: ProvisionInput): Promise<ProvisionResult> {
  const password = await prepareOwner(context, input.owner)
  if (!password.ok) return password
  return inTransaction<ProvisionResult>(context, async inner => {
    await lockInstallation(inner)
    const org = await ensureOrganization(inner, input.organizationSlug)
    if (!org.ok) return org
    const organization = org.organization
    const owner =
      input.owner && (await ensureOwner(inner, organization.id, { ...input.owner, passwordHash: password.hash }))
    if (owner && !owner.ok) return owner
    if (!(await hasMember(inner, organization.id))) return { ok: false, code: 'owner_missing' }
    const { publicKey, ...wanted } = input.project
    const made = await ensureProject(inner, { ...wanted, organizationId: organization.id })
    if (!made.ok) return made
    const key = await ensureProjectKey(inner, {
      organizationId: organization.id,
      projectId: made.project.id,
      publicKey,
    })
    if (!key.ok) return key
    await ensureInternalProject(inner, organization.id)
    const token = await ensureInitToken(inner, { ...input, organization })
    return {
      ok: true,
      organization,
      project: made.project,
      dsn: projectDsn(input.publicUrl, key.key.publicKey, made.project.id),
      token,
    }
  })
}

type Prepared = { ok: true; hash: string | undefined } | { ok: false; code: PasswordFault }

/** Hashes the password, unless the owner already has a password and a verified address. */
async function prepareOwner({ db }: CommandContext, owner: ProvisionInput['owner']): Promise<Prepared> {
  if (owner?.password === undefined) return { ok: true, hash: undefined }
  const email = owner.email.trim().toLowerCase()
  const present = await db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select('user.emailVerified')
    .where('user.email', '=', email)
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst()
  return present?.emailVerified ? { ok: true, hash: undefined } : hashNewPassword(owner.password, { isOperator: true })
}

async function ensureOrganization(inner: CommandContext, slug: string): Promise<CreateOrganizationResult> {
  const present = await inner.db
    .selectFrom('organization')
    .select(['id', 'slug'])
    .where('slug', '=', slug)
    .executeTakeFirst()
  return present === undefined ? createOrganization(inner, { slug }) : { ok: true, organization: present }
}

async function hasMember({ db }: CommandContext, organizationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type FirstRun = {
  owner: NewUser
  organization: { slug: string; name?: string | undefined }
  project: { slug: string; name?: string | undefined; platform?: string | undefined }
}
type SetUpRefused<Result> = Extract<Result, { ok: false }>
/** `field` names the part of the form, because `organization` and `project` share codes. */
type SetUpResult =
  | {
      ok: true
      userId: string
      organization: { id: number; slug: string }
      project: { id: number; slug: string }
      publicKey: string
    }
  | (SetUpRefused<CreateUserResult> & { field: 'owner' })
  | (SetUpRefused<CreateOrganizationResult> & { field: 'organization' })
  | (SetUpRefused<CreateProjectResult> & { field: 'project' })
  | { ok: false; code: 'already_set_up'; field: null }

/** The first run: an owner, an organization, a project with its key, and the project for Hydrant's own errors. */
export async function setUp(context: CommandContext, given: FirstRun): Promise<SetUpResult> {
  const { owner, organization, project } = given
  const hashed = await hashNewPassword(owner.password, owner)
  if (!hashed.ok) return { ...hashed, field: 'owner' }
  return inTransaction<SetUpResult>(context, async inner => {
    await lockInstallation(inner)
    if (await isAlreadySetUp(inner)) return { ok: false, code: 'already_set_up', field: null }
    const { email, name } = owner
    const user = await insertUser(inner, { email, name, passwordHash: hashed.hash, isEmailVerified: true })
    if (!user.ok) return { ...user, field: 'owner' }
    const org = await createOrganization(inner, organization)
    if (!org.ok) return { ...org, field: 'organization' }
    const organizationId = org.organization.id
    const first = await createProject(inner, { ...project, organizationId })
    if (!first.ok) return { ...first, field: 'project' }
    const key = await createProjectKey(inner, { organizationId, projectId: first.project.id })
    const member = await addMember(inner, { organizationId, userId: user.userId, role: 'owner' })
    if (!key.ok || !member.ok) throw new Error("Couldn't create the key or the membership of the first project.")
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

async function isAlreadySetUp({ db }: CommandContext): Promise<boolean> {
  const user = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  const organization = await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()
  return user !== undefined || organization !== undefined
}
