import { defineApiRoute } from '#api/define-api-route.ts'
import { answerPage, readPage } from '#api/pages.ts'
import { describeOrganization } from '#api/serialize-organization.ts'
import { getOrganization } from '#domain/projects/list-projects.ts'

/** The organisations of a token: one. */
export const GET = defineApiRoute({ needs: null }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  return answerPage(
    request,
    page,
    page.offset > 0 ? [] : [describeOrganization(request, await getOrganization(viewer))],
  )
})
