import { findEventPlace } from '#queries/find-event-place.ts'
import { findIssue } from '#queries/find-issue.ts'
import { listAttachments } from '#queries/list-attachments.ts'
import { apiNotFound } from '#web/api/api-error.ts'
import { defineProjectRoute } from '#web/api/define-api-route.ts'

/** The files that came with an event. */
export const GET = defineProjectRoute({ scope: 'event:read' }, async ({ viewer, project, params }) => {
  const eventId = (params.event ?? '').replaceAll('-', '').toLowerCase()
  const place = await findEventPlace(viewer, eventId, project.id)
  const issue = place && (await findIssue(viewer, place.issueId))
  if (!issue) return apiNotFound()
  const files = await listAttachments(viewer, issue, eventId)
  return Response.json(
    files.map(({ name, filename, contentType, sizeBytes }) => ({
      id: name,
      event_id: eventId,
      name: filename,
      type: 'event.attachment',
      size: sizeBytes,
      mimetype: contentType,
      headers: { 'Content-Type': contentType },
      dateCreated: new Date(issue.lastSeen).toISOString(),
    })),
  )
})
