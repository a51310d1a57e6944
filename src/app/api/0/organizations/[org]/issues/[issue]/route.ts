import { changeIssues, changesIssues, issueChangeInput } from '#api/change-issues.ts'
import { defineIssueRoute } from '#api/define-issue-route.ts'
import { answerIssue } from '#api/issue-response.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, call => answerIssue(call, call.issue))

/** Resolves, reopens, archives, assigns or prioritises it, and shows it as it is then. */
export const PUT = defineIssueRoute(
  { needs: changesIssues, input: issueChangeInput },
  async call => (await changeIssues(call, [call.issue.id])) ?? answerIssue(call, call.issue),
)
