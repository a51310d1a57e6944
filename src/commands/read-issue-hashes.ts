import type { CommandContext } from './command-context.ts'

/** A hash, the issue it counts for, and the one it came from; null while it is at home. */
export type HashRow = { projectId: number; version: number; hash: string; issueId: number; homeId: number | null }

/** In the order in which digest locks them, so that the two never wait for each other. */
export async function readIssueHashes({ db }: CommandContext, issueIds: readonly number[]): Promise<HashRow[]> {
  const rows = await db
    .selectFrom('issue_hash')
    .select(['project_id', 'group_version', 'group_hash', 'issue_id', 'home_issue_id'])
    .where('issue_id', 'in', issueIds)
    .orderBy('group_version')
    .orderBy('group_hash')
    .execute()
  return rows.map(row => ({
    projectId: row.project_id,
    version: row.group_version,
    hash: row.group_hash,
    issueId: row.issue_id,
    homeId: row.home_issue_id,
  }))
}
