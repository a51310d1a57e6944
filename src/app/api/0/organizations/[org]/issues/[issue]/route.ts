import { changeIssues, changesIssues, issueChangeInput } from '#api/change-issues.ts'
import { defineIssueRoute } from '#api/define-issue-route.ts'
import { issueResponse } from '#api/issue-response.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, call => issueResponse(call, call.issue))

/** Changes status, assignee or priority, and gives the changed issue. */
export const PUT = defineIssueRoute(
  { needs: changesIssues, input: issueChangeInput },
  async call => (await changeIssues(call, [call.issue.id])) ?? issueResponse(call, call.issue),
)
