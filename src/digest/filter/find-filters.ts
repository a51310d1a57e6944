import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Understood } from '../loop/prepare-batch.ts'

export type FilterChoice = ControlSchema['project_filter']

/** Every choice that the projects of a batch ever made about the noise that is in it, by project and rule, the newest first. */
export async function findFilters(
  control: Control,
  understood: readonly Understood[],
): Promise<Map<string, FilterChoice[]>> {
  const projectIds = new Set<number>()
  for (const { yielded } of understood)
    if (yielded.sightings.some(({ noise }) => noise.length > 0)) projectIds.add(yielded.projectId)
  if (projectIds.size === 0) return new Map()
  const rows = await control.db
    .selectFrom('project_filter')
    .selectAll()
    .where('project_id', 'in', [...projectIds])
    .orderBy('since', 'desc')
    .execute()
  return Map.groupBy(rows, row => filterKey(row.project_id, row.rule))
}

export const filterKey = (projectId: number, rule: string): string => `${projectId}:${rule}`
