import type { CommandContext } from './command-context.ts'

/** A new issue with the next number of the project, called what the given one is called: the hashes it is for bring no title. */
export async function createIssueLike({ db, now }: CommandContext, issueId: number): Promise<number> {
  const like = await db
    .selectFrom('issue')
    .select(['project_id', 'title', 'culprit', 'kind', 'level', 'place'])
    .where('id', '=', issueId)
    .executeTakeFirstOrThrow()
  const project = await db
    .updateTable('project')
    .set(eb => ({ last_issue_number: eb('last_issue_number', '+', 1) }))
    .where('id', '=', like.project_id)
    .returning('last_issue_number')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('issue')
    .values({ ...like, number: project.last_issue_number, status: 'unresolved', created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
