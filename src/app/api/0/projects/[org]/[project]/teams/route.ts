import { defineProjectRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'

/** Always empty: teams belong to the organization, not to projects. */
export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ request, search }) =>
  pageResponse(request, readPage(search), []),
)
