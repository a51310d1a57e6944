import { defineApiRoute } from '#web/api/define-api-route.ts'
import { answerBulkChange } from '#web/api/reading/bulk-change-answer.ts'
import { bulkChangeInput, changesManyIssues } from '#web/api/reading/issue-change-input.ts'
import { answerIssueList } from '#web/api/reading/list-issues-answer.ts'

/** The issues of the organisation that match `?query=`. */
export const GET = defineApiRoute({ needs: 'event:read' }, call => answerIssueList(call))

export const PUT = defineApiRoute({ needs: changesManyIssues, input: bulkChangeInput }, call => answerBulkChange(call))
