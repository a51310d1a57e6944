import { changeIssues } from '#web/api/reading/change-issues.ts'
import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { answerIssue } from '#web/api/reading/issue-answer.ts'
import { changesIssues, issueChangeInput } from '#web/api/reading/issue-change-input.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, call => answerIssue(call, call.issue))

/** Resolves, reopens, archives, assigns or prioritises it, and shows it as it is then. */
export const PUT = defineIssueRoute(
  { needs: changesIssues, input: issueChangeInput },
  async call => (await changeIssues(call, [call.issue.id])) ?? answerIssue(call, call.issue),
)
