/** Handlers about stored events: those of a project or an issue, one event, its attachments. */
import { findIssueOfEvent } from '#domain/events/find-event.ts'
import { listAttachments } from '#domain/events/list-attachments.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { attachmentResponse } from '#web/attachment-response.ts'
import { hashBlob } from '#web/hash-blob.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiNotFound } from '../api-error.ts'
import { ofEvent, ofIssue, ofProject } from '../named-resources.ts'
import { eventResponse, serializeNamedEvent } from './event-response.ts'
import { eventListResponse } from './list-events-response.ts'

export const getProjectEvents = ofProject(call => eventListResponse(call, { projectIds: [call.project.id] }))

export const getIssueEvents = ofIssue(call =>
  eventListResponse(call, {
    projectIds: [call.issue.projectId],
    hashes: call.issue.hashes,
    since: call.issue.firstSeen,
  }),
)

/** `latest`, `oldest`, `recommended`, or the event's id. */
export const getIssueEvent = ofIssue<'event'>(({ viewer, issue, params }) => eventResponse(viewer, issue, params.event))

/** An event by its id, whatever issue it belongs to. */
export const getProjectEvent = ofEvent(({ viewer, issue, eventId }) => eventResponse(viewer, issue, eventId))

/** The project and the issue of an event. */
export const getEventId: ApiHandler<'event'> = async ({ viewer, params }) => {
  const eventId = params.event.replaceAll('-', '').toLowerCase()
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
}

/** The attachments of an event. */
export const getEventAttachments = ofEvent(async ({ viewer, issue, eventId }) => {
  const files = await listAttachments(viewer, issue, eventId)
  const hashes: string[] = []
  // One after the other: a file can be large.
  for (const { blob } of files) hashes.push(await hashBlob(blob))
  return Response.json(
    files.map(({ name, filename, contentType, kind, sizeBytes, at }, index) => ({
      id: name,
      event_id: eventId,
      name: filename,
      type: kind || 'event.attachment',
      size: sizeBytes,
      // Some versions of Sentry's MCP server reject a list without it.
      sha1: hashes[index],
      mimetype: contentType || 'application/octet-stream',
      headers: { 'Content-Type': contentType || 'application/octet-stream' },
      dateCreated: new Date(at).toISOString(),
    })),
  )
})

/** Downloads an attachment. */
export const getEventAttachment = ofEvent<'attachment'>(async ({ viewer, issue, eventId, params }) => {
  const found = (await listAttachments(viewer, issue, eventId)).find(({ name }) => name === params.attachment)
  return (found && (await attachmentResponse(found))) ?? apiNotFound()
})
