import { readReleases } from '#queries/releases/read-releases.ts'
import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { describeReleases } from '#web/api/describe-release.ts'
import { answerPage, readPage } from '#web/api/pages.ts'

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
