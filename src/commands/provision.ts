import type { CommandContext } from './command-context.ts'
import { type CreateOrganizationResult, createOrganization } from './create-organization.ts'
import { ensureInitToken } from './ensure-init-token.ts'
import { ensureInternalProject } from './ensure-internal-project.ts'
import { type EnsureOwnerResult, ensureOwner } from './ensure-owner.ts'
import { type EnsureProjectResult, ensureProject } from './ensure-project.ts'
import { type EnsureProjectKeyResult, ensureProjectKey } from './ensure-project-key.ts'
import { inTransaction } from './in-transaction.ts'
import { lockInstallation } from './lock-installation.ts'
import { hashNewPassword, type PasswordFault } from './password.ts'
import { projectDsn } from './project-dsn.ts'

export type ProvisionInput = {
  organizationSlug: string
  owner: { email: string; name?: string | undefined; password?: string | undefined } | null
  project: { slug: string; id?: number | undefined; platform?: string | undefined; publicKey?: string | undefined }
  publicUrl: string
  installationSecret: string
}
export type Provisioned = {
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
export type ProvisionResult = Provisioned | Refusal | Refused<EnsureProjectResult> | Refused<EnsureProjectKeyResult>

/** What `init` asks for, made where it is missing and left alone where it is there: running it again changes nothing. */
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
    const key = await ensureProjectKey(inner, { projectId: made.project.id, publicKey })
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

/** A repeat meets its owner and need not spend the time of a hash. */
async function prepareOwner({ db }: CommandContext, owner: ProvisionInput['owner']): Promise<Prepared> {
  if (owner?.password === undefined) return { ok: true, hash: undefined }
  const email = owner.email.trim().toLowerCase()
  const present = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  return present === undefined ? hashNewPassword(owner.password) : { ok: true, hash: undefined }
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
