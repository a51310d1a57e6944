/** Which kinds of events the projects of a batch do not want. They are few, and most projects have none. */
import type { Control } from '#store/control/control.ts'
import { hashKey } from './arrival.ts'
import type { Understood } from './prepare-batch.ts'

export async function findDiscarded(control: Control, understood: readonly Understood[]): Promise<Set<string>> {
  const withEvents = understood.filter(({ yielded }) => yielded.sightings.length > 0)
  const projectIds = [...new Set(withEvents.map(({ yielded }) => yielded.projectId))]
  if (projectIds.length === 0) return new Set()
  const rows = await control.db
    .selectFrom('discarded_hash')
    .select(['project_id as projectId', 'group_version as groupVersion', 'group_hash as groupHash'])
    .where('project_id', 'in', projectIds)
    .execute()
  return new Set(rows.map(hashKey))
}
