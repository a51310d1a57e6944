import { listMembers } from './list-members.ts'
import { listTeams } from './list-teams.ts'
import type { Viewer } from './viewer.ts'

/** `id` is what an issue keeps: `user:<id>` or `team:<id>`. */
export type Assignee = { id: string; name: string }

/** Everybody an issue can be given to: people first, then teams by their `#name`. */
export async function listAssignees(viewer: Viewer): Promise<Assignee[]> {
  const [members, teams] = await Promise.all([listMembers(viewer), listTeams(viewer)])
  return [
    ...members.map(({ id, name }) => ({ id: `user:${id}`, name })),
    ...teams.map(({ id, slug }) => ({ id: `team:${id}`, name: `#${slug}` })),
  ]
}
