import { defineApiRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'

/** Always empty, so that `set-commits --auto` reads the local git log and sends the commits. */
export const GET = defineApiRoute({ needs: 'project:read' }, async ({ request, search }) =>
  pageResponse(request, readPage(search), []),
)
