import { defineIssueRoute } from '#api/define-issue-route.ts'
import { issueTagResponse } from '#api/issue-tag-response.ts'

/** The values that the issue's events have for a tag, the most frequent first. */
export const GET = defineIssueRoute({ needs: 'event:read' }, call => issueTagResponse(call, call.params.key ?? ''))
