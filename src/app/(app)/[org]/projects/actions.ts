'use server'
import { z } from 'zod'
import { inTransaction } from '#domain/access/command-context.ts'
import { createProject } from '#domain/projects/create-project.ts'
import { createProjectKey } from '#domain/projects/project-keys.ts'
import { defineAction } from '#web/define-action.ts'
import { slugify } from '#web/slugify.ts'

/** A project is useless without a key, so both are created in one transaction. */
export const submitProject = defineAction(
  {
    input: z.object({ name: z.string().trim().min(1, 'Enter a name.').max(100, 'Use at most 100 characters.') }),
    verb: 'project.create',
    faultField: 'name',
  },
  (context, { name }, viewer) =>
    inTransaction(context, async inner => {
      const organizationId = viewer.organization.id
      const made = await createProject(inner, { organizationId, slug: slugify(name), name })
      if (!made.ok) return made
      const key = await createProjectKey(inner, { organizationId, projectId: made.project.id })
      return key.ok ? made : key
    }),
  (made, viewer) => ({ go: `/${viewer.organization.slug}/projects/${made.project.slug}` }),
)
