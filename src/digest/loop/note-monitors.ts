import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import type { MonitorSighting } from '../yield.ts'

/**
 * How scheduled jobs fare. An SDK sends a job's beginning and its end without waiting in between, so the beginning may
 * come last: it then still brings the schedule, and nothing that was not known better.
 */
export async function noteMonitors(trx: Transaction<ControlSchema>, sightings: MonitorSighting[]): Promise<void> {
  for (const { projectId, checkInId, status, at, ...monitor } of sightings) {
    // PostgreSQL has no place for U+0000 in a text.
    const slug = monitor.slug.replaceAll('\0', '')
    const config = monitor.config?.replaceAll('\0', '') ?? null
    const seen = { last_status: status, last_check_in_at: at, last_check_in_id: checkInId }
    if (config !== null) {
      await trx
        .updateTable('monitor')
        .set({ config })
        .where('project_id', '=', projectId)
        .where('slug', '=', slug)
        .execute()
    }
    await trx
      .insertInto('monitor')
      .values({ project_id: projectId, slug, config: config ?? '{}', created_at: at, ...seen })
      .onConflict(conflict => {
        const update = conflict.columns(['project_id', 'slug']).doUpdateSet(seen)
        return status === 'in_progress' && checkInId !== ''
          ? update.where('monitor.last_check_in_id', '!=', checkInId)
          : update
      })
      .execute()
  }
}
