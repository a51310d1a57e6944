import { defineProjectRoute } from '#api/define-api-route.ts'
import { pageResponse, publicOrigin, readPage } from '#api/pages.ts'
import { listProjectKeys, projectDsn } from '#domain/projects/project-keys.ts'

/** The keys of a project with their DSNs. */
export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ request, search, viewer, project }) => {
  const page = readPage(search)
  const keys = (await listProjectKeys(viewer, project.id)).slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(
    request,
    page,
    keys.map(({ id, publicKey, label, isActive, createdAt }) => ({
      id: String(id),
      name: label,
      label,
      public: publicKey,
      projectId: project.id,
      isActive,
      dateCreated: new Date(createdAt).toISOString(),
      dsn: { public: projectDsn(publicOrigin(request), publicKey, project.id) },
    })),
  )
})
