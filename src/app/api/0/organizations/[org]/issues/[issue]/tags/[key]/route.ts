import { defineIssueRoute } from '#api/define-issue-route.ts'
import { answerIssueTag } from '#api/issue-tag-response.ts'

/** The values that the issue's events have for a tag, the most frequent first. */
export const GET = defineIssueRoute({ needs: 'event:read' }, call => answerIssueTag(call, call.params.key ?? ''))
