import type { Stores } from '#domain/access/unscoped-stores.ts'
import { createViewer, type Viewer } from '#domain/access/viewer.ts'
import { listVisibleProjects } from '#domain/projects/unscoped-projects.ts'

/**
 * What the rules of an organization see: its projects. Rules belong to nobody, so `assigned:me` matches nothing. Null if the
 * organization is gone.
 */
export async function viewOrganization(stores: Stores, organizationId: number, now: number): Promise<Viewer | null> {
  const organization = await stores.control.db
    .selectFrom('organization')
    .select(['id', 'slug', 'name'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (organization === undefined) return null
  const { projects, hiddenProjectIds } = await listVisibleProjects(stores.control, organizationId, {
    seesAll: true,
    userId: null,
  })
  const user = { id: 'rules', name: 'Alert rules', email: '' }
  return createViewer({ user, organization, role: 'viewer', projects, hiddenProjectIds, now }, stores)
}

/** Each organization once, for work on several of them. */
export function createViewers(stores: Stores, now: number): (organizationId: number) => Promise<Viewer | null> {
  const known = new Map<number, Promise<Viewer | null>>()
  return organizationId => {
    const viewer = known.get(organizationId) ?? viewOrganization(stores, organizationId, now)
    known.set(organizationId, viewer)
    return viewer
  }
}
