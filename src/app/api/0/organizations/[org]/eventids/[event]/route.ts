import { findEventPlace } from '#queries/find-event-place.ts'
import { findIssue } from '#queries/find-issue.ts'
import { apiNotFound } from '#web/api/api-error.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'
import { describeNamedEvent } from '#web/api/reading/event-answer.ts'

/** Which project and issue an event belongs to. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, params }) => {
  const eventId = (params.event ?? '').replaceAll('-', '').toLowerCase()
  const place = await findEventPlace(viewer, eventId)
  const issue = place && (await findIssue(viewer, place.issueId))
  const event = issue && (await describeNamedEvent(viewer, issue, eventId))
  if (!event) return apiNotFound()
  return Response.json({
    organizationSlug: viewer.organization.slug,
    projectSlug: issue.projectSlug,
    groupId: String(issue.id),
    eventId,
    event,
  })
})
