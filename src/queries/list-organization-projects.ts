import type { Control } from '#store/control/control.ts'
import type { ViewerProject } from './viewer.ts'

const maxProjects = 1_000 // a rail or a filter with more than that would need another design

/** For the guard: what a member of the organisation may see. */
export async function listOrganizationProjects({ db }: Control, organizationId: number): Promise<ViewerProject[]> {
  const rows = await db
    .selectFrom('project')
    .select(['id', 'slug', 'name', 'is_internal'])
    .where('organization_id', '=', organizationId)
    .orderBy('is_internal')
    .orderBy('slug')
    .limit(maxProjects)
    .execute()
  return rows.map(row => ({ id: row.id, slug: row.slug, name: row.name, isInternal: row.is_internal === 1 }))
}
