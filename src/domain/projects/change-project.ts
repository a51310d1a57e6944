import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { findSlugFault, type SlugFault } from '#lib/slug.ts'
import { scopeControl } from '#store/control/scoped-control.ts'

type ProjectTarget = { organizationId: number; projectId: number }
type ChangeProjectResult =
  | { ok: true; slug: string }
  | { ok: false; code: SlugFault | 'slug_taken' | 'name_missing' | 'project_not_found' }

/** Changes name and slug. Addresses with the old slug keep working until another project takes it. */
export function changeProject(
  context: CommandContext,
  { organizationId, projectId, name, slug }: ProjectTarget & { name: string; slug: string },
): Promise<ChangeProjectResult> {
  return inTransaction<ChangeProjectResult>(context, async inner => {
    const wanted = name.replaceAll('\0', '').trim()
    if (wanted === '') return { ok: false, code: 'name_missing' }
    await lockOrganization(inner, organizationId)
    const project = await findProject(inner, { organizationId, projectId })
    if (project === undefined || project.deleted_at !== null) return { ok: false, code: 'project_not_found' }
    if (slug !== project.slug) {
      const fault = findSlugFault(slug, 'project') ?? (await findTaken(inner, organizationId, slug))
      if (fault !== null) return { ok: false, code: fault }
      await freeFormerSlug(inner, organizationId, slug)
      await inner.db
        .insertInto('former_slug')
        .values({ organization_id: organizationId, slug: project.slug, project_id: projectId, until: inner.now() })
        .execute()
    }
    await inner.db.updateTable('project').set({ name: wanted, slug }).where('id', '=', projectId).execute()
    await writeAudit(inner, {
      organizationId,
      action: 'project.change',
      target: `project:${projectId}`,
      detail: { from: project.slug, slug, name: wanted },
    })
    return { ok: true, slug }
  })
}

/** Makes changes of slugs run one after the other. A no-op update locks the row on SQLite and PostgreSQL alike. */
async function lockOrganization({ db }: CommandContext, organizationId: number): Promise<void> {
  await db
    .updateTable('organization')
    .set(eb => ({ slug: eb.ref('slug') }))
    .where('id', '=', organizationId)
    .execute()
}

async function findTaken({ db }: CommandContext, organizationId: number, slug: string): Promise<'slug_taken' | null> {
  const other = await db
    .selectFrom('project')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return other === undefined ? null : 'slug_taken'
}

/** A slug in use belongs to its project alone: what it named before is no longer reached by it. */
export async function freeFormerSlug({ db }: CommandContext, organizationId: number, slug: string): Promise<void> {
  await db.deleteFrom('former_slug').where('organization_id', '=', organizationId).where('slug', '=', slug).execute()
}

const dayMs = 86_400_000
/** How long a deleted project can be restored. */
export const graceDays = 7
export const graceMs = graceDays * dayMs

type DeleteProjectResult =
  | { ok: true }
  | { ok: false; code: 'project_not_found' | 'project_internal' | 'confirmation_differs' }

/**
 * Deletes a project after the grace period: from now on nobody sees it and ingest refuses what is sent to it, but nothing is removed.
 * Then `jobs/purge-projects.ts` removes everything. The slug is typed as confirmation.
 */
export function deleteProject(
  context: CommandContext,
  { organizationId, projectId, confirmation }: ProjectTarget & { confirmation: string },
): Promise<DeleteProjectResult> {
  return inTransaction<DeleteProjectResult>(context, async inner => {
    const project = await findProject(inner, { organizationId, projectId })
    if (project === undefined || project.deleted_at !== null) return { ok: false, code: 'project_not_found' }
    if (project.is_internal === 1) return { ok: false, code: 'project_internal' }
    if (confirmation.trim() !== project.slug) return { ok: false, code: 'confirmation_differs' }
    await inner.db.updateTable('project').set({ deleted_at: inner.now() }).where('id', '=', projectId).execute()
    await writeAudit(inner, {
      organizationId,
      action: 'project.delete',
      target: `project:${projectId}`,
      detail: { slug: project.slug },
    })
    return { ok: true }
  })
}

type RestoreProjectResult = { ok: true; slug: string } | { ok: false; code: 'project_not_found' | 'grace_over' }

export function restoreProject(context: CommandContext, target: ProjectTarget): Promise<RestoreProjectResult> {
  return inTransaction<RestoreProjectResult>(context, async inner => {
    const project = await findProject(inner, target)
    if (project === undefined || project.deleted_at === null) return { ok: false, code: 'project_not_found' }
    if (project.deleted_at < inner.now() - graceMs) return { ok: false, code: 'grace_over' }
    await inner.db.updateTable('project').set({ deleted_at: null }).where('id', '=', target.projectId).execute()
    await writeAudit(inner, {
      organizationId: target.organizationId,
      action: 'project.restore',
      target: `project:${target.projectId}`,
      detail: { slug: project.slug },
    })
    return { ok: true, slug: project.slug }
  })
}

/** Locks the project until the transaction ends. Finds only projects of this organization, also deleted ones. */
async function findProject({ db }: CommandContext, { organizationId, projectId }: ProjectTarget) {
  await db
    .updateTable('project')
    .set(eb => ({ slug: eb.ref('slug') }))
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .execute()
  return scopeControl(db, { organizationId, projectIds: [projectId] })
    .projects()
    .select(['project.id', 'project.slug', 'project.is_internal', 'project.deleted_at'])
    .executeTakeFirst()
}
