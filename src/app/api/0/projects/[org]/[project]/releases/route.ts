import { defineProjectRoute } from '#api/define-api-route.ts'
import { answerPage, readPage } from '#api/pages.ts'
import { describeReleases } from '#api/serialize-release.ts'
import { readReleases } from '#domain/releases/read-releases.ts'

/** The releases of one project, the latest first. */
export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ request, search, viewer, project }) => {
  const page = readPage(search)
  const releases = await readReleases(viewer, { projectId: project.id })
  return answerPage(
    request,
    page,
    await describeReleases(viewer, releases.slice(page.offset, page.offset + page.limit + 1)),
  )
})
