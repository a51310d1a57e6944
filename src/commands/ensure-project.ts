import type { CommandContext } from './command-context.ts'
import { type CreateProjectResult, createProject, type NewProject } from './create-project.ts'

export type EnsureProjectResult = CreateProjectResult | { ok: false; code: 'project_id_differs' }

/** The project with this slug. An id that was asked for must be its id: a DSN with another one would lead nowhere. */
export async function ensureProject(inner: CommandContext, given: NewProject): Promise<EnsureProjectResult> {
  const present = await inner.db
    .selectFrom('project')
    .select(['id', 'slug'])
    .where('organization_id', '=', given.organizationId)
    .where('slug', '=', given.slug)
    .executeTakeFirst()
  if (present === undefined) return createProject(inner, given)
  if (given.id !== undefined && given.id !== present.id) return { ok: false, code: 'project_id_differs' }
  return { ok: true, project: present }
}
