import { getOrganization } from '#queries/get-organization.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'
import { describeOrganization } from '#web/api/describe-organization.ts'
import { answerPage, readPage } from '#web/api/pages.ts'

/** The organisations of a token: one. */
export const GET = defineApiRoute({ needs: null }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  return answerPage(
    request,
    page,
    page.offset > 0 ? [] : [describeOrganization(request, await getOrganization(viewer))],
  )
})
