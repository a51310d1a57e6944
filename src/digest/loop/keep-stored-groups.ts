/**
 * A batch that is repeated after an upgrade may be grouped otherwise than when its events were stored. What is stored decides: counters
 * and issues must name the groups that the rows have. Only a repeat asks for it, so other batches pay nothing.
 */
import { findStoredGroups, type StoredGroup } from '#store/telemetry/find-stored-groups.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { RecordYield } from '../yield.ts'
import type { Understood } from './prepare-batch.ts'

export async function keepStoredGroups(
  telemetry: Pick<Telemetry, 'query'>,
  batchId: string,
  understood: readonly Understood[],
): Promise<Understood[]> {
  const rows = understood.flatMap(({ yielded }) => yielded.rows.events ?? [])
  if (rows.length === 0) return [...understood]
  const stored = new Map<string, StoredGroup>()
  for (const group of await findStoredGroups(telemetry, { rows, batchId }))
    stored.set(`${group.projectId}:${group.eventId}`, group)
  if (stored.size === 0) return [...understood]
  return understood.map(each => ({ ...each, yielded: withStored(each.yielded, stored) }))
}

function withStored(yielded: RecordYield, stored: ReadonlyMap<string, StoredGroup>): RecordYield {
  const { projectId, rows, sightings, unmapped } = yielded
  /** Null where nothing is stored, or nothing else. */
  const otherThan = (eventId: string, version: number, hash: string): StoredGroup | null => {
    const group = stored.get(`${projectId}:${eventId}`)
    return group === undefined || (group.version === version && group.hash === hash) ? null : group
  }
  if (sightings.every(one => otherThan(one.eventId, one.groupVersion, one.groupHash) === null)) return yielded
  return {
    ...yielded,
    rows: {
      ...rows,
      events: (rows.events ?? []).map(row => {
        const group = otherThan(row.event_id, row.group_version, row.group_hash)
        return group === null ? row : { ...row, group_version: group.version, group_hash: group.hash }
      }),
    },
    sightings: sightings.map(one => {
      const { eventId, groupVersion: version, groupHash: hash, groupFallbacks } = one
      const group = otherThan(eventId, version, hash)
      if (group === null) return one
      // Where the stored group is new, what it is called now leads to the issue that exists already.
      const fallbacks = [{ version, hash }, ...groupFallbacks].filter(key => key.hash !== group.hash)
      return { ...one, groupVersion: group.version, groupHash: group.hash, groupFallbacks: fallbacks }
    }),
    unmapped: unmapped.map(one => {
      const group = otherThan(one.eventId, one.groupVersion, one.groupHash)
      return group === null ? one : { ...one, groupVersion: group.version, groupHash: group.hash }
    }),
  }
}
