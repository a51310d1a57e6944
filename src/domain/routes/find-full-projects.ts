import type { Viewer } from '#domain/access/viewer.ts'
import { maxKnownRoutes } from '#react/routes/resolve-routes.ts'

export const mostKnownRoutes = maxKnownRoutes

/** Projects that are known to have as many routes as are kept: paths of others count as unmatched. */
export async function findFullProjects(viewer: Viewer, projectIds?: readonly number[]): Promise<number[]> {
  const rows = await viewer.control
    .knownRoutes()
    .select('project_id')
    .groupBy(['project_id', 'inbox_id'])
    .having(({ fn }) => fn.countAll(), '>=', maxKnownRoutes)
    .execute()
  const full = new Set(rows.map(({ project_id }) => project_id))
  return [...full].filter(id => projectIds === undefined || projectIds.includes(id)).sort((a, b) => a - b)
}
