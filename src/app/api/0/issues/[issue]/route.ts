import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { answerIssue } from '#web/api/reading/issue-answer.ts'

/** The organisation is the token's. */
export const GET = defineIssueRoute({ scope: 'event:read' }, call => answerIssue(call, call.issue))
