import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'

/** `WEB-42` → the issue's id. The name of a project may hold hyphens: the number is what follows the last one. */
export async function findIssueByShortId(viewer: Viewer, shortId: string): Promise<number | null> {
  const match = /^(.{1,50})-(\d{1,9})$/.exec(shortId)
  if (!match) return null
  const row = await viewer.control.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select('issue.id')
    .where('issue.project_id', 'in', projectIds(viewer))
    .where('project.slug', '=', (match[1] ?? '').toLowerCase())
    .where('issue.number', '=', Number(match[2]))
    .executeTakeFirst()
  return row?.id ?? null
}
