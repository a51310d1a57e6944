import type { Control } from '#store/control/control.ts'
import { hashKey } from '../loop/arrival.ts'
import type { Understood } from '../loop/prepare-batch.ts'
import type { Sighting } from '../yield.ts'

/** How many events each group of deploy skew in a batch has had: counted ones, and those of the batch before it. */
export async function countSeen(
  control: Control,
  understood: readonly Understood[],
  before: readonly Sighting[],
): Promise<Record<string, number>> {
  const skews = understood.flatMap(({ yielded }) => yielded.sightings.filter(({ isSkew }) => isSkew))
  const seen: Record<string, number> = {}
  for (const [key, [first]] of Map.groupBy(skews, hashKey)) {
    if (first === undefined) continue
    const row = await control.db
      .selectFrom('issue_hash')
      .select('event_count')
      .where('project_id', '=', first.projectId)
      .where('group_version', '=', first.groupVersion)
      .where('group_hash', '=', first.groupHash)
      .executeTakeFirst()
    const uncommitted = before.filter(sighting => hashKey(sighting) === key)
    seen[key] = (row?.event_count ?? 0) + uncommitted.reduce((sum, { weight }) => sum + weight, 0)
  }
  return seen
}
