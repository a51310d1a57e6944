import { defineApiRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'

/** No repository is connected: `set-commits --auto` then reads the local git log and sends the commits themselves. */
export const GET = defineApiRoute({ needs: 'project:read' }, async ({ request, search }) =>
  pageResponse(request, readPage(search), []),
)
