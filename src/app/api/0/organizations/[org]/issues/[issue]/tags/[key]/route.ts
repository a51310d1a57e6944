import { defineIssueRoute } from '#api/define-issue-route.ts'
import { issueTagResponse } from '#api/issue-tag-response.ts'

/** The values of a tag in the issue's events, most frequent first. */
export const GET = defineIssueRoute({ needs: 'event:read' }, call => issueTagResponse(call, call.params.key ?? ''))
