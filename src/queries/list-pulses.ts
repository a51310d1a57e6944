import type { Control } from '#store/control/control.ts'

export type Pulse = { projectId: number; eventCount: number; itemCount: number; updatedAt: number }

/** Every project that has received something since a moment. For the live poller, which serves viewers of all organisations. */
export async function listPulses({ db }: Control, since: number): Promise<Pulse[]> {
  const rows = await db
    .selectFrom('project_pulse')
    .select(['project_id', 'event_count', 'item_count', 'updated_at'])
    .where('updated_at', '>=', since)
    .limit(10_000)
    .execute()
  return rows.map(row => ({
    projectId: row.project_id,
    eventCount: row.event_count,
    itemCount: row.item_count,
    updatedAt: row.updated_at,
  }))
}
