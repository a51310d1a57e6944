import type { CommandContext } from './command-context.ts'

const maxNamed = 20 // in a sentence of the activity; the rest is a number

/** Short ids as people know them, for an entry of the activity. */
export async function nameIssues({ db }: CommandContext, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.number', 'project.slug'])
    .where('issue.id', 'in', ids)
    .orderBy('issue.number')
    .execute()
  const names = rows.map(({ number, slug }) => `${slug.toUpperCase()}-${number}`)
  return names.length > maxNamed ? [...names.slice(0, maxNamed), `${names.length - maxNamed} more`] : names
}
