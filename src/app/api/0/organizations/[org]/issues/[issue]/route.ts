import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { answerIssue } from '#web/api/reading/issue-answer.ts'

export const GET = defineIssueRoute({ scope: 'event:read' }, call => answerIssue(call, call.issue))
