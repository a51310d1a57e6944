import type { CommandContext } from './command-context.ts'
import { createProject } from './create-project.ts'
import { createProjectKey } from './create-project-key.ts'

const slugs = ['hydrant', 'hydrant-internal']

/** The project that Hydrant's own errors go to: one for the installation, in its first organisation. */
export async function ensureInternalProject(inner: CommandContext, organizationId: number): Promise<void> {
  const present = await inner.db.selectFrom('project').select('id').where('is_internal', '=', 1).executeTakeFirst()
  if (present !== undefined) return
  for (const slug of slugs) {
    const made = await createProject(inner, { organizationId, slug, platform: 'javascript-nextjs', isInternal: true })
    if (!made.ok) continue
    const key = await createProjectKey(inner, { projectId: made.project.id })
    if (!key.ok) throw new Error(`the built-in project got no key: ${key.code}`)
    return
  }
  throw new Error(`the built-in project cannot be made: ${slugs.join(' and ')} are taken`)
}
