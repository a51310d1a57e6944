import { defineProjectRoute } from '#api/define-api-route.ts'
import { answerPage, readPage } from '#api/pages.ts'

/** Teams are of the organisation: none owns a project. */
export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ request, search }) =>
  answerPage(request, readPage(search), []),
)
