import { bulkChangeResponse } from '#api/bulk-change-response.ts'
import { bulkChangeInput, changesManyIssues } from '#api/change-issues.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { issueListResponse } from '#api/list-issues-response.ts'

/** The issues of the organization that match `?query=`. */
export const GET = defineApiRoute({ needs: 'event:read' }, call => issueListResponse(call))

export const PUT = defineApiRoute({ needs: changesManyIssues, input: bulkChangeInput }, call =>
  bulkChangeResponse(call),
)
