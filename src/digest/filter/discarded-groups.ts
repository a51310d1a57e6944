/** Groups whose future events a project ignores ("delete and ignore"). */
import { hashKey } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { Control } from '#store/control/control.ts'
import type { BatchRecord } from '../process-records.ts'
import { dropEvents } from './filters.ts'

/** The discarded groups of a batch, by hashKey. */
export async function findDiscarded(control: Control, records: readonly BatchRecord[]): Promise<Set<string>> {
  const withEvents = records.filter(({ processed }) => processed.groupedEvents.length > 0)
  const projectIds = [...new Set(withEvents.map(({ processed }) => processed.projectId))]
  if (projectIds.length === 0) return new Set()
  const rows = await control.db
    .selectFrom('discarded_hash')
    .select(['project_id as projectId', 'group_version as groupVersion', 'group_hash as groupHash'])
    .where('project_id', 'in', projectIds)
    .execute()
  const discarded = new Set(rows.map(hashKey))
  return new Set(
    withEvents.flatMap(({ processed }) => processed.groupedEvents.flatMap(keysOf)).filter(key => discarded.has(key)),
  )
}

export function dropDiscarded(record: BatchRecord, discarded: ReadonlySet<string>): BatchRecord {
  if (discarded.size === 0) return record
  const unwanted = record.processed.groupedEvents.filter(grouped => keysOf(grouped).some(key => discarded.has(key)))
  return dropEvents(record, new Map(unwanted.map(({ eventId }) => [eventId, 'discarded'])))
}

/** Also the hashes of older grouping versions: a group that was discarded under one of them stays discarded. */
const keysOf = (grouped: GroupedEvent): string[] => [
  hashKey(grouped),
  ...grouped.groupFallbacks.map(({ version, hash }) =>
    hashKey({ projectId: grouped.projectId, groupVersion: version, groupHash: hash }),
  ),
]
