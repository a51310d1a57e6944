import { defineProjectRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'

/** Teams are of the organization: none owns a project. */
export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ request, search }) =>
  pageResponse(request, readPage(search), []),
)
