import { defineIssueRoute } from '#api/define-issue-route.ts'
import { eventListResponse } from '#api/list-events-response.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, call =>
  eventListResponse(call, { projectIds: [call.issue.projectId], hashes: call.issue.hashes }),
)
