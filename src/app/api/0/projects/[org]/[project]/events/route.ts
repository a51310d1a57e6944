import { defineProjectRoute } from '#api/define-api-route.ts'
import { eventListResponse } from '#api/list-events-response.ts'

export const GET = defineProjectRoute({ needs: 'event:read' }, call =>
  eventListResponse(call, { projectIds: [call.project.id] }),
)
