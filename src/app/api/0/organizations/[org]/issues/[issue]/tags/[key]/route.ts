import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { answerIssueTag } from '#web/api/reading/issue-tag-answer.ts'

/** The values that the issue's events have for a tag, the most frequent first. */
export const GET = defineIssueRoute({ needs: 'event:read' }, call => answerIssueTag(call, call.params.key ?? ''))
