import { apiNotFound } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { serializeNamedEvent } from '#api/event-response.ts'
import { findIssueOfEvent } from '#domain/events/find-event.ts'
import { findIssue } from '#domain/issues/find-issue.ts'

/** The project and the issue of an event. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, params }) => {
  const eventId = (params.event ?? '').replaceAll('-', '').toLowerCase()
  const found = await findIssueOfEvent(viewer, eventId)
  const issue = found && (await findIssue(viewer, found.issueId))
  const event = issue && (await serializeNamedEvent(viewer, issue, eventId))
  if (!event) return apiNotFound()
  return Response.json({
    organizationSlug: viewer.organization.slug,
    projectSlug: issue.projectSlug,
    groupId: String(issue.id),
    eventId,
    event,
  })
})
