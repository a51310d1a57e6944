import { listIssueActivity } from '#queries/list-issue-activity.ts'
import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { describeActivity } from '#web/api/reading/describe-activity.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, async ({ viewer, issue }) =>
  Response.json({ activity: (await listIssueActivity(viewer, issue)).map(describeActivity) }),
)
