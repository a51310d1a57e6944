import { defineProjectRoute } from '#api/define-api-route.ts'
import { answerEventList } from '#api/list-events-response.ts'

export const GET = defineProjectRoute({ needs: 'event:read' }, call =>
  answerEventList(call, { projectIds: [call.project.id] }),
)
