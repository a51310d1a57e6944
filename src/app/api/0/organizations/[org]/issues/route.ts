import { defineApiRoute } from '#web/api/define-api-route.ts'
import { answerIssueList } from '#web/api/reading/list-issues-answer.ts'

/** The issues of the organisation that match `?query=`. */
export const GET = defineApiRoute({ scope: 'event:read' }, call => answerIssueList(call))
