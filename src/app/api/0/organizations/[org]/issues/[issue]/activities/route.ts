import { defineIssueRoute } from '#api/define-issue-route.ts'
import { serializeActivity } from '#api/serialize-activity.ts'
import { listIssueActivity } from '#domain/issues/list-issue-activity.ts'

export const GET = defineIssueRoute({ needs: 'event:read' }, async ({ viewer, issue }) =>
  Response.json({ activity: (await listIssueActivity(viewer, issue)).map(serializeActivity) }),
)
