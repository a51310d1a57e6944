import { bulkChangeResponse } from '#api/bulk-change-response.ts'
import { bulkChangeInput, changesManyIssues } from '#api/change-issues.ts'
import { defineProjectRoute } from '#api/define-api-route.ts'
import { issueListResponse } from '#api/list-issues-response.ts'

/** The issues of one project that match `?query=`. */
export const GET = defineProjectRoute({ needs: 'event:read' }, call => issueListResponse(call, call.project.id))

export const PUT = defineProjectRoute({ needs: changesManyIssues, input: bulkChangeInput }, call =>
  bulkChangeResponse(call, call.project.id),
)
