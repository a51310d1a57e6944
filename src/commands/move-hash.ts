import type { CommandContext } from './command-context.ts'
import type { HashRow } from './read-issue-hashes.ts'

/** One at a time, in the order they were read: a statement for all would lock them in an order of its own. */
export async function moveHash(
  { db }: CommandContext,
  { projectId, version, hash }: HashRow,
  { issueId, homeId }: { issueId: number; homeId: number | null },
): Promise<void> {
  await db
    .updateTable('issue_hash')
    .set({ issue_id: issueId, home_issue_id: homeId === issueId ? null : homeId })
    .where('project_id', '=', projectId)
    .where('group_version', '=', version)
    .where('group_hash', '=', hash)
    .execute()
}
