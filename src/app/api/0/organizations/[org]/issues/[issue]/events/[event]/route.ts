import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { answerEvent } from '#web/api/reading/event-answer.ts'

/** `latest`, `oldest`, `recommended`, or the event's id. */
export const GET = defineIssueRoute({ needs: 'event:read' }, ({ viewer, issue, params }) =>
  answerEvent(viewer, issue, params.event ?? ''),
)
