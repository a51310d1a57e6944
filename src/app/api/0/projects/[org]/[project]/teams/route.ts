import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { answerPage, readPage } from '#web/api/pages.ts'

/** There are no teams: the organisation is the team. */
export const GET = defineProjectRoute({ scope: 'project:read' }, async ({ request, search }) =>
  answerPage(request, readPage(search), []),
)
