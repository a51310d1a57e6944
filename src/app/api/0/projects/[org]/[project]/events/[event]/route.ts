import { findEventPlace } from '#queries/find-event-place.ts'
import { findIssue } from '#queries/find-issue.ts'
import { apiNotFound } from '#web/api/api-error.ts'
import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { answerEvent } from '#web/api/reading/event-answer.ts'

/** An event by its id, whatever issue it belongs to. */
export const GET = defineProjectRoute({ scope: 'event:read' }, async ({ viewer, project, params }) => {
  const eventId = (params.event ?? '').replaceAll('-', '').toLowerCase()
  const place = await findEventPlace(viewer, eventId, project.id)
  const issue = place && (await findIssue(viewer, place.issueId))
  return issue ? answerEvent(viewer, issue, eventId) : apiNotFound()
})
