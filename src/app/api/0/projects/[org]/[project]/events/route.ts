import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { answerEventList } from '#web/api/reading/list-events-answer.ts'

export const GET = defineProjectRoute({ needs: 'event:read' }, call =>
  answerEventList(call, { projectIds: [call.project.id] }),
)
