import { defineIssueRoute } from '#api/define-issue-route.ts'
import { eventResponse } from '#api/event-response.ts'

/** `latest`, `oldest`, `recommended`, or the event's id. */
export const GET = defineIssueRoute({ needs: 'event:read' }, ({ viewer, issue, params }) =>
  eventResponse(viewer, issue, params.event ?? ''),
)
