import type { Control } from '#store/control/control.ts'
import type { BatchRecord } from './process-records.ts'

/** Bound parameters per statement: far below the limit of either database. */
const chunkSize = 400

/** Events of a batch that were counted before, as `project:event`: tunnels and proxies may deliver an event twice. */
export async function findRepeatedEvents(control: Control, records: readonly BatchRecord[]): Promise<Set<string>> {
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
