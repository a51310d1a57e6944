/** Handlers about one project. */
import { listEnvironments } from '#domain/events/list-environments.ts'
import { findProject } from '#domain/projects/list-projects.ts'
import { listProjectTeams } from '#domain/projects/project-access.ts'
import { listProjectKeys, projectDsn } from '#domain/projects/project-keys.ts'
import { apiNotFound } from '../api-error.ts'
import { ofProject } from '../named-resources.ts'
import { listResponse, publicOrigin } from '../pages.ts'
import { serializeProject } from './serialize-organization.ts'

export const getProject = ofProject(async ({ viewer, project }) => {
  const summary = await findProject(viewer, project.slug)
  return summary ? Response.json(serializeProject(viewer, summary)) : apiNotFound()
})

/** The keys of a project with their DSNs. */
export const getProjectKeys = ofProject(async ({ request, search, viewer, project }) => {
  return listResponse(request, search, await listProjectKeys(viewer, project.id), {
    idOf: ({ id }) => String(id),
    serialize: ({ id, publicKey, label, isActive, createdAt }) => ({
      id: String(id),
      name: label,
      label,
      public: publicKey,
      projectId: project.id,
      isActive,
      dateCreated: new Date(createdAt).toISOString(),
      dsn: { public: projectDsn(publicOrigin(request), publicKey, project.id) },
    }),
  })
})

/** The teams that own the project. */
export const getProjectTeams = ofProject(async ({ request, search, viewer, project }) => {
  return listResponse(request, search, await listProjectTeams(viewer, project.id), {
    idOf: ({ id }) => String(id),
    serialize: ({ id, slug, name }) => ({ id: String(id), slug, name }),
  })
})

export const getProjectEnvironments = ofProject(async ({ viewer }) => {
  const names = await listEnvironments(viewer)
  return Response.json(names.map(name => ({ id: name, name, isHidden: false })))
})
