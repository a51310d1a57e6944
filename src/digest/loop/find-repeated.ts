/** Which events of a batch were delivered before: tunnels and proxies may send twice, and an event counts once. */
import type { Control } from '#store/control/control.ts'
import type { Understood } from './prepare-batch.ts'

/** How long the ids of events are kept. Repeats come within seconds; a day leaves room for an offline queue. */
export const seenEventsForMs = 24 * 3_600_000

const chunkSize = 400 // bound parameters per statement, far below what either database allows

export async function findRepeated(control: Control, understood: Understood[]): Promise<Set<string>> {
  const idsByProject = new Map<number, string[]>()
  for (const { yielded } of understood) {
    if (yielded.dedupeId === null) continue
    const ids = idsByProject.get(yielded.projectId) ?? []
    ids.push(yielded.dedupeId)
    idsByProject.set(yielded.projectId, ids)
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
