import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { nextProjectId } from './next-project-id.ts'
import { findSlugFault, type SlugFault } from './slug.ts'
import { writeAudit } from './write-audit.ts'

export type NewProject = {
  organizationId: number
  slug: string
  name?: string | undefined
  platform?: string | undefined
  /** The number in a DSN that is already in use elsewhere. */
  id?: number | undefined
  isInternal?: boolean | undefined
}
export type CreateProjectResult =
  | { ok: true; project: { id: number; slug: string } }
  | {
      ok: false
      code: SlugFault | 'slug_taken' | 'project_id_invalid' | 'project_id_taken' | 'organization_not_found'
    }

export function createProject(context: CommandContext, given: NewProject): Promise<CreateProjectResult> {
  return inTransaction<CreateProjectResult>(context, async inner => {
    const { organizationId, slug } = given
    const fault = findSlugFault(slug, 'project')
    if (fault !== null) return { ok: false, code: fault }
    if (given.id !== undefined && !isProjectId(given.id)) return { ok: false, code: 'project_id_invalid' }
    if (!(await exists(inner, organizationId))) return { ok: false, code: 'organization_not_found' }
    const id = given.id ?? (await nextProjectId(inner))
    const row = await inner.db
      .insertInto('project')
      .values({
        id,
        organization_id: organizationId,
        slug,
        name: given.name?.trim() || slug,
        platform: given.platform ?? '',
        is_internal: given.isInternal ? 1 : 0,
        last_issue_number: 0,
        first_event_at: null,
        created_at: inner.now(),
      })
      .onConflict(conflict => conflict.doNothing())
      .returning(['id', 'slug'])
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: await findCollision(inner, id) }
    await writeAudit(inner, { organizationId, action: 'project.create', target: `project:${id}`, detail: { slug } })
    return { ok: true, project: row }
  })
}

/** Sentry's own ids have 16 digits and fit. */
function isProjectId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0
}

async function exists({ db }: CommandContext, organizationId: number): Promise<boolean> {
  const row = await db.selectFrom('organization').select('id').where('id', '=', organizationId).executeTakeFirst()
  return row !== undefined
}

async function findCollision({ db }: CommandContext, id: number): Promise<'project_id_taken' | 'slug_taken'> {
  const other = await db.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst()
  return other === undefined ? 'slug_taken' : 'project_id_taken'
}
