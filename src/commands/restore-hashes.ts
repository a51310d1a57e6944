import { countUsers, decodeUserSketch, encodeUserSketch, mergeUserSketches } from '#lib/user-sketch.ts'
import type { CommandContext } from './command-context.ts'
import { hashColumns } from './hash-columns.ts'

/** Brings the hash rows of a removal back. What was counted for a hash in the meantime is added, and its stopgap issue goes. */
export async function restoreHashes(
  context: CommandContext,
  changeId: string,
  scope: readonly number[],
): Promise<void> {
  const { db } = context
  const rows = await db
    .selectFrom('deleted_hash')
    .select(hashColumns)
    .where('change_id', '=', changeId)
    .where('project_id', 'in', scope)
    .execute()
  for (const row of rows) {
    const since = await db
      .deleteFrom('issue_hash')
      .where('project_id', '=', row.project_id)
      .where('group_version', '=', row.group_version)
      .where('group_hash', '=', row.group_hash)
      .returning(hashColumns)
      .executeTakeFirst()
    await db
      .insertInto('issue_hash')
      .values(since === undefined ? row : { ...row, ...sumOf(row, since) })
      .execute()
    if (since !== undefined) await dropIfEmpty(context, since.issue_id)
  }
  for (const table of ['deleted_hash', 'discarded_hash'] as const)
    await db.deleteFrom(table).where('change_id', '=', changeId).where('project_id', 'in', scope).execute()
}

type Counted = {
  event_count: number
  first_seen: number
  last_seen: number
  last_release: string
  last_event_id: string
  user_sketch: Uint8Array
}

function sumOf(before: Counted, since: Counted) {
  const sketch = mergeUserSketches(decodeUserSketch(before.user_sketch), decodeUserSketch(since.user_sketch))
  const last = since.last_seen >= before.last_seen ? since : before
  return {
    event_count: before.event_count + since.event_count,
    first_seen: Math.min(before.first_seen, since.first_seen),
    last_seen: last.last_seen,
    last_release: last.last_release,
    last_event_id: last.last_event_id,
    user_sketch: encodeUserSketch(sketch),
    user_count: countUsers(sketch),
  }
}

async function dropIfEmpty({ db }: CommandContext, issueId: number): Promise<void> {
  await db
    .deleteFrom('issue')
    .where('id', '=', issueId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('issue_hash').select('issue_id').where('issue_id', '=', issueId))),
    )
    // Hashes that were merged away from it lead back to it.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('issue_hash').select('issue_id').where('home_issue_id', '=', issueId))),
    )
    .execute()
}
