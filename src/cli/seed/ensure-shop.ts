import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import { createOrganization, ensureProject } from '#domain/projects/create-project.ts'
import { ensureProjectKey } from '#domain/projects/project-keys.ts'

type EnsureShopResult = { ok: true; projectId: number } | { ok: false; code: string }

/** Creates the organization, the project and a DSN key unless they exist. The key lets SDKs send to the demo too. */
export function ensureShop(
  context: CommandContext,
  slugs: { organization: string; project: string },
): Promise<EnsureShopResult> {
  return inTransaction<EnsureShopResult>(context, async inner => {
    const existing = await inner.db
      .selectFrom('organization')
      .select('id')
      .where('slug', '=', slugs.organization)
      .executeTakeFirst()
    const created = existing
      ? { ok: true as const, organization: existing }
      : await createOrganization(inner, { slug: slugs.organization })
    if (!created.ok) return created
    const organizationId = created.organization.id
    const wanted = { organizationId, slug: slugs.project, platform: 'javascript-nextjs' }
    const project = await ensureProject(inner, wanted)
    if (!project.ok) return project
    const key = await ensureProjectKey(inner, { organizationId, projectId: project.project.id })
    return key.ok ? { ok: true, projectId: project.project.id } : key
  })
}
