import { defineProjectRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { serializeReleases } from '#api/serialize-release.ts'
import { readReleases } from '#domain/releases/read-releases.ts'

/** The releases of one project, latest first. */
export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ request, search, viewer, project }) => {
  const page = readPage(search)
  const releases = await readReleases(viewer, { projectId: project.id })
  return pageResponse(
    request,
    page,
    await serializeReleases(viewer, releases.slice(page.offset, page.offset + page.limit + 1)),
  )
})
