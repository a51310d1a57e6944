import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import { createOrganization, ensureProject } from '#domain/projects/create-project.ts'
import { ensureProjectKey } from '#domain/projects/project-keys.ts'

type EnsureShopResult = { ok: true; projectId: number } | { ok: false; code: string }

/** The organization with this slug, made where it is missing; likewise the project and a key, so that SDKs can join the demo. */
export function ensureShop(
  context: CommandContext,
  slugs: { organization: string; project: string },
): Promise<EnsureShopResult> {
  return inTransaction<EnsureShopResult>(context, async inner => {
    const present = await inner.db
      .selectFrom('organization')
      .select('id')
      .where('slug', '=', slugs.organization)
      .executeTakeFirst()
    const made = present
      ? { ok: true as const, organization: present }
      : await createOrganization(inner, { slug: slugs.organization })
    if (!made.ok) return made
    const wanted = { organizationId: made.organization.id, slug: slugs.project, platform: 'javascript-nextjs' }
    const project = await ensureProject(inner, wanted)
    if (!project.ok) return project
    const key = await ensureProjectKey(inner, { projectId: project.project.id })
    return key.ok ? { ok: true, projectId: project.project.id } : key
  })
}
