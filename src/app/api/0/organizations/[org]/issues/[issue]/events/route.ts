import { defineIssueRoute } from '#api/define-issue-route.ts'
import { answerEventList } from '#api/list-events-response.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, call =>
  answerEventList(call, { projectIds: [call.issue.projectId], hashes: call.issue.hashes }),
)
