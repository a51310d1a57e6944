import { apiNotFound } from '#api/api-error.ts'
import { defineEventRoute } from '#api/define-issue-route.ts'
import { listAttachments } from '#domain/events/list-attachments.ts'
import { attachmentResponse } from '#web/attachment-response.ts'

/** Downloads an attachment. */
export const GET = defineEventRoute(async ({ viewer, issue, eventId, params }) => {
  const found = (await listAttachments(viewer, issue, eventId)).find(({ name }) => name === params.attachment)
  return (found && (await attachmentResponse(found))) ?? apiNotFound()
})
