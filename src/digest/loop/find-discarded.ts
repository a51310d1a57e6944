/** Which groups of a batch its projects do not want, also by the names that older grouping versions have for them. */
import type { Control } from '#store/control/control.ts'
import type { Sighting } from '../yield.ts'
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
  const unwanted = new Set(rows.map(hashKey))
  return new Set(
    withEvents.flatMap(({ yielded }) => yielded.sightings.flatMap(keysOf)).filter(key => unwanted.has(key)),
  )
}

/** What was discarded by the name of an older grouping version stays discarded. */
const keysOf = (sighting: Sighting): string[] => [
  hashKey(sighting),
  ...sighting.groupFallbacks.map(({ version, hash }) =>
    hashKey({ projectId: sighting.projectId, groupVersion: version, groupHash: hash }),
  ),
]
