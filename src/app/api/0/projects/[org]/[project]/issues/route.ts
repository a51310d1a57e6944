import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { answerIssueList } from '#web/api/reading/list-issues-answer.ts'

/** The issues of one project that match `?query=`. */
export const GET = defineProjectRoute({ scope: 'event:read' }, call => answerIssueList(call, call.project.id))
