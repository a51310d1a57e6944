import type { Control } from '#store/control/control.ts'

/** The projects of the same organisation, with the project itself. What is beyond them is somebody else's, whatever trace it names. */
export async function findSiblings(
  control: Control,
  projectIds: readonly number[],
): Promise<(projectId: number) => ReadonlySet<number>> {
  const rows = await control.db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('organization_id', 'in', query =>
      query.selectFrom('project').select('organization_id').where('id', 'in', projectIds),
    )
    .execute()
  const organizationOf = new Map(rows.map(row => [row.id, row.organization_id]))
  const members = Map.groupBy(rows, row => row.organization_id)
  return projectId => {
    const own = members.get(organizationOf.get(projectId) ?? 0) ?? []
    return new Set([projectId, ...own.map(({ id }) => id)])
  }
}
