import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { answerBulkChange } from '#web/api/reading/bulk-change-answer.ts'
import { bulkChangeInput, changesManyIssues } from '#web/api/reading/issue-change-input.ts'
import { answerIssueList } from '#web/api/reading/list-issues-answer.ts'

/** The issues of one project that match `?query=`. */
export const GET = defineProjectRoute({ needs: 'event:read' }, call => answerIssueList(call, call.project.id))

export const PUT = defineProjectRoute({ needs: changesManyIssues, input: bulkChangeInput }, call =>
  answerBulkChange(call, call.project.id),
)
