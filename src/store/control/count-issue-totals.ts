import type { Kysely } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import { countUsers, decodeUserSketch, emptyUserSketch, mergeUserSketches } from '#lib/user-sketch.ts'
import type { ControlSchema } from './schema.ts'

export type IssueCounts = { events: number; users: number }

/** Events and users of each issue. A user with events of two hashes counts once. */
export async function countIssueTotals(
  db: Kysely<ControlSchema>,
  issueIds: Iterable<number>,
): Promise<Map<number, IssueCounts>> {
  const sums = new Map<number, { events: number; sketch: typeof emptyUserSketch }>()
  for (const ids of ascendingChunks(issueIds)) {
    const rows = await db
      .selectFrom('issue_hash')
      .select(['issue_id', 'event_count', 'user_sketch'])
      .where('issue_id', 'in', ids)
      .execute()
    for (const row of rows) {
      const sum = sums.get(row.issue_id) ?? { events: 0, sketch: emptyUserSketch }
      sums.set(row.issue_id, {
        events: sum.events + row.event_count,
        sketch: mergeUserSketches(sum.sketch, decodeUserSketch(row.user_sketch)),
      })
    }
  }
  return new Map([...sums].map(([id, { events, sketch }]) => [id, { events, users: countUsers(sketch) }]))
}
