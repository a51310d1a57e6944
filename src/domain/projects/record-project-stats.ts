import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

/** A project's newest event in a batch, and how many events the batch has. */
type NewestEvent = { events: number; eventId: string; issueId: number }

/** Last arrival and counts of each project. Live views poll them; the newest event is named so that a waiting page can link to it. */
export async function recordProjectStats(
  trx: Transaction<ControlSchema>,
  itemsByProject: ReadonlyMap<number, number>,
  newestEvents: ReadonlyMap<number, NewestEvent>,
  sentKinds: ReadonlyMap<number, number>,
  at: number,
): Promise<void> {
  for (const [projectId, items] of itemsByProject) {
    const newest = newestEvents.get(projectId)
    await trx
      .insertInto('project_stats')
      .values({
        project_id: projectId,
        item_count: items,
        event_count: newest?.events ?? 0,
        last_event_id: newest?.eventId ?? '',
        last_issue_id: newest?.issueId ?? 0,
        updated_at: at,
        sent_kinds: sentKinds.get(projectId) ?? 0,
      })
      .onConflict(conflict =>
        conflict.column('project_id').doUpdateSet(eb => ({
          item_count: eb('project_stats.item_count', '+', items),
          event_count: eb('project_stats.event_count', '+', newest?.events ?? 0),
          updated_at: at,
          sent_kinds: eb('project_stats.sent_kinds', '|', sentKinds.get(projectId) ?? 0),
          ...(newest ? { last_event_id: newest.eventId, last_issue_id: newest.issueId } : {}),
        })),
      )
      .execute()
    if (newest) {
      await trx
        .updateTable('project')
        .set({ first_event_at: at })
        .where('id', '=', projectId)
        .where('first_event_at', 'is', null)
        .execute()
    }
  }
}
