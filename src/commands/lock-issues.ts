import type { CommandContext } from './command-context.ts'

/**
 * The organisation of issues that all exist in this project and can be seen; null otherwise. An issue whose hashes have all been
 * merged away cannot. Locks their rows until the transaction ends: two merges of the same issues happen one after the other.
 */
export async function lockIssues(
  { db }: CommandContext,
  projectId: number,
  issueIds: readonly number[],
): Promise<{ organizationId: number } | null> {
  const project = await db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (project === undefined) return null
  // An update that changes nothing locks on both engines.
  for (const id of issueIds.toSorted((a, b) => a - b))
    await db
      .updateTable('issue')
      .set(eb => ({ title: eb.ref('title') }))
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .execute()
  const seen = await db
    .selectFrom('issue')
    .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
    .select('issue.id')
    .distinct()
    .where('issue.id', 'in', issueIds)
    .where('issue.project_id', '=', projectId)
    .execute()
  return seen.length === issueIds.length ? { organizationId: project.organization_id } : null
}
