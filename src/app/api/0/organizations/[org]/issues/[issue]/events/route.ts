import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { answerEventList } from '#web/api/reading/list-events-answer.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, call =>
  answerEventList(call, { projectIds: [call.issue.projectId], hashes: call.issue.hashes }),
)
