import { answerBulkChange } from '#api/bulk-change-response.ts'
import { bulkChangeInput, changesManyIssues } from '#api/change-issues.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { answerIssueList } from '#api/list-issues-response.ts'

/** The issues of the organisation that match `?query=`. */
export const GET = defineApiRoute({ needs: 'event:read' }, call => answerIssueList(call))

export const PUT = defineApiRoute({ needs: changesManyIssues, input: bulkChangeInput }, call => answerBulkChange(call))
