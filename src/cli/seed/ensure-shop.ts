import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import { addMember } from '#domain/members/add-member.ts'
import { createOrganization, ensureProject, lockInstallation } from '#domain/projects/create-project.ts'
import { ensureProjectKey } from '#domain/projects/project-keys.ts'

type Shop = {
  projectId: number
  /** Slugs. */
  organization: string
  project: string
  /** False if nobody can open the organization yet. */
  hasMembers: boolean
}
type EnsureShopResult = ({ ok: true } & Shop) | { ok: false; code: string }

/** The organization of an installation that has none. */
const firstOrganization = 'demo'

/**
 * Creates the organization, the project and a DSN key unless they exist. The key lets SDKs send to the demo too. Without a slug it is
 * the only organization; a new one gets the owners of the only other one, who would otherwise not find it.
 */
export function ensureShop(
  context: CommandContext,
  wanted: { organization: string | null; project: string },
): Promise<EnsureShopResult> {
  return inTransaction<EnsureShopResult>(context, async inner => {
    await lockInstallation(inner)
    const found = await ensureOrganization(inner, wanted.organization)
    if (!found.ok) return found
    const { id: organizationId, slug: organization } = found.organization
    const hasMembers = await ensureMembers(inner, organizationId)
    const shop = { organizationId, slug: wanted.project, platform: 'javascript-nextjs' }
    const project = await ensureProject(inner, shop)
    if (!project.ok) return project
    const { id: projectId, slug } = project.project
    const key = await ensureProjectKey(inner, { organizationId, projectId })
    if (!key.ok) return key
    return { ok: true, projectId, organization, project: slug, hasMembers }
  })
}

type EnsureOrganizationResult = { ok: true; organization: { id: number; slug: string } } | { ok: false; code: string }

async function ensureOrganization(inner: CommandContext, slug: string | null): Promise<EnsureOrganizationResult> {
  const two = inner.db.selectFrom('organization').select(['id', 'slug']).orderBy('id').limit(2)
  const found = await (slug === null ? two : two.where('slug', '=', slug)).execute()
  if (found.length > 1) return { ok: false, code: 'organization_unclear' }
  const [organization] = found
  if (organization !== undefined) return { ok: true, organization }
  return createOrganization(inner, { slug: slug ?? firstOrganization })
}

async function ensureMembers(inner: CommandContext, organizationId: number): Promise<boolean> {
  const member = inner.db.selectFrom('member').select('user_id').where('organization_id', '=', organizationId).limit(1)
  if ((await member.executeTakeFirst()) !== undefined) return true
  const owners = await inner.db
    .selectFrom('member')
    .select(['organization_id', 'user_id'])
    .where('role', '=', 'owner')
    .execute()
  // Several organizations may have nothing to do with each other.
  if (new Set(owners.map(owner => owner.organization_id)).size !== 1) return false
  for (const { user_id: userId } of owners) {
    const added = await addMember(inner, { organizationId, userId, role: 'owner' })
    if (!added.ok) throw new Error(`Couldn't add an owner: ${added.code}.`)
  }
  return true
}
