import { defineApiRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { serializeOrganization } from '#api/serialize-organization.ts'
import { getOrganization } from '#domain/projects/list-projects.ts'

/** A token belongs to one organization. */
export const GET = defineApiRoute({ needs: null }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  return pageResponse(
    request,
    page,
    page.offset > 0 ? [] : [serializeOrganization(request, await getOrganization(viewer))],
  )
})
