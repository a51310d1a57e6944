import { chunksOf } from '#lib/ascending-chunks.ts'
import type { Control } from '#store/control/control.ts'
import type { BatchRecord } from './process-records.ts'

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
    for (const chunk of chunksOf(ids)) {
      const rows = await control.db
        .selectFrom('seen_event')
        .select('event_id')
        .where('project_id', '=', projectId)
        .where('event_id', 'in', chunk)
        .execute()
      for (const row of rows) found.add(`${projectId}:${row.event_id}`)
    }
  }
  return found
}
