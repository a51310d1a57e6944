'use server'
import { z } from 'zod'
import { inTransaction } from '#domain/access/command-context.ts'
import { changeProject, deleteProject, restoreProject } from '#domain/projects/change-project.ts'
import { createNamedProject } from '#domain/projects/create-project.ts'
import { setProjectAccess } from '#domain/projects/project-access.ts'
import { createProjectKey } from '#domain/projects/project-keys.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { slugify } from '#web/slugify.ts'
import { ownProjectId } from '../settings/own-project-id.ts'

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
      const made = await createNamedProject(inner, { organizationId, slug: slugify(name), name })
      if (!made.ok) return made
      const key = await createProjectKey(inner, { organizationId, projectId: made.project.id })
      return key.ok ? made : key
    }),
  (made, viewer) => ({ go: `/${viewer.organization.slug}/projects/${made.project.slug}` }),
)

const project = formId

/** Changes the name and the slug. The page moves with the slug. */
export const saveProject = defineAction(
  {
    input: z.object({
      project,
      name: z.string().trim().min(1, 'Enter a name.').max(100, 'Use at most 100 characters.'),
      slug: z.string().trim().toLowerCase().max(50, 'Use at most 50 characters.'),
    }),
    verb: 'project.change',
    faultField: 'slug',
  },
  async (context, { project: id, name, slug }, viewer) => {
    const before = viewer.projects.find(each => each.id === ownProjectId(viewer, id))?.slug
    const target = { organizationId: viewer.organization.id, projectId: id }
    const saved = await changeProject(context, { ...target, name, slug })
    return saved.ok ? { ...saved, isMoved: saved.slug !== before } : saved
  },
  ({ slug, isMoved }, viewer) =>
    isMoved ? { go: `/${viewer.organization.slug}/projects/${slug}/settings` } : { say: 'Project saved.' },
)

/** The typed slug confirms it. The projects page offers to restore it. */
export const removeProject = defineAction(
  {
    input: z.object({ project, confirmation: z.string().max(100) }),
    verb: 'project.delete',
    faultField: 'confirmation',
  },
  (context, { project: id, confirmation }, viewer) =>
    deleteProject(context, {
      organizationId: viewer.organization.id,
      projectId: ownProjectId(viewer, id),
      confirmation,
    }),
  (_, viewer) => ({ go: `/${viewer.organization.slug}/projects` }),
)

/** A deleted project is not among the viewer's, so the command checks that it is of their organization. */
export const undeleteProject = defineAction(
  { input: z.object({ project }), verb: 'project.restore' },
  (context, { project: projectId }, viewer) =>
    restoreProject(context, { organizationId: viewer.organization.id, projectId }),
  ({ slug }) => ({ say: `Project ${slug} restored.` }),
)

const teams = z
  .union([project, z.array(project)])
  .optional()
  .transform(given => [given ?? []].flat())

/** The teams that own a project, and whether only they see it. */
export const saveAccess = defineAction(
  { input: z.object({ project, private: z.literal('on').optional(), team: teams }), verb: 'project.access' },
  (context, { project: id, private: isPrivate, team }, viewer) =>
    setProjectAccess(context, {
      organizationId: viewer.organization.id,
      projectId: ownProjectId(viewer, id),
      isPrivate: isPrivate === 'on',
      teamIds: team,
    }),
  () => ({ say: 'Access saved. It applies at once.' }),
)
