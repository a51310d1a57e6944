import { defineEventRoute } from '#api/define-issue-route.ts'
import { listAttachments } from '#domain/events/list-attachments.ts'

/** The attachments of an event. */
export const GET = defineEventRoute(async ({ viewer, issue, eventId }) => {
  const files = await listAttachments(viewer, issue, eventId)
  return Response.json(
    files.map(({ name, filename, contentType, sizeBytes }) => ({
      id: name,
      event_id: eventId,
      name: filename,
      type: 'event.attachment',
      size: sizeBytes,
      mimetype: contentType || 'application/octet-stream',
      headers: { 'Content-Type': contentType || 'application/octet-stream' },
      dateCreated: new Date(issue.lastSeen).toISOString(),
    })),
  )
})
