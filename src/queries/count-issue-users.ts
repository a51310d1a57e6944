import { countUsers, decodeUserSketch, emptyUserSketch, mergeUserSketches, type UserSketch } from '#lib/user-sketch.ts'
import type { Control } from '#store/control/control.ts'

/**
 * How many people each issue has met. The sum of its hashes' counts would count a person once for each hash they met; the sketches
 * are merged instead. Issues without hashes are not in the answer.
 */
export async function countIssueUsers({ db }: Control, issueIds: readonly number[]): Promise<Map<number, number>> {
  if (issueIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('issue_hash')
    .select(['issue_id', 'user_sketch'])
    .where('issue_id', 'in', issueIds)
    .execute()
  const sketches = new Map<number, UserSketch>()
  for (const { issue_id: id, user_sketch: bytes } of rows)
    sketches.set(id, mergeUserSketches(sketches.get(id) ?? emptyUserSketch, decodeUserSketch(bytes)))
  return new Map(Array.from(sketches, ([id, sketch]) => [id, countUsers(sketch)]))
}
