/** Which events of a batch were delivered before: tunnels and proxies may send twice, and an event counts once. */

import { hashKey } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { Control } from '#store/control/control.ts'
import type { BatchRecord } from './prepare-batch.ts'

const chunkSize = 400 // bound parameters per statement, far below what either database allows

export async function findRepeated(control: Control, records: BatchRecord[]): Promise<Set<string>> {
  const idsByProject = new Map<number, string[]>()
  for (const { processed } of records) {
    if (processed.dedupeId === null) continue
    const ids = idsByProject.get(processed.projectId) ?? []
    ids.push(processed.dedupeId)
    idsByProject.set(processed.projectId, ids)
  }
  const found = new Set<string>()
  for (const [projectId, ids] of idsByProject) {
    for (let start = 0; start < ids.length; start += chunkSize) {
      const rows = await control.db
        .selectFrom('seen_event')
        .select('event_id')
        .where('project_id', '=', projectId)
        .where('event_id', 'in', ids.slice(start, start + chunkSize))
        .execute()
      for (const row of rows) found.add(`${projectId}:${row.event_id}`)
    }
  }
  return found
}

/* Which groups of a batch its projects do not want, also by the names that older grouping versions have for them. */

export async function findDiscarded(control: Control, records: readonly BatchRecord[]): Promise<Set<string>> {
  const withEvents = records.filter(({ processed }) => processed.groupedEvents.length > 0)
  const projectIds = [...new Set(withEvents.map(({ processed }) => processed.projectId))]
  if (projectIds.length === 0) return new Set()
  const rows = await control.db
    .selectFrom('discarded_hash')
    .select(['project_id as projectId', 'group_version as groupVersion', 'group_hash as groupHash'])
    .where('project_id', 'in', projectIds)
    .execute()
  const unwanted = new Set(rows.map(hashKey))
  return new Set(
    withEvents.flatMap(({ processed }) => processed.groupedEvents.flatMap(keysOf)).filter(key => unwanted.has(key)),
  )
}

/** What was discarded by the name of an older grouping version stays discarded. */
const keysOf = (grouped: GroupedEvent): string[] => [
  hashKey(grouped),
  ...grouped.groupFallbacks.map(({ version, hash }) =>
    hashKey({ projectId: grouped.projectId, groupVersion: version, groupHash: hash }),
  ),
]
