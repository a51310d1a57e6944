import { listAttachments } from '#queries/list-attachments.ts'
import { answerAttachment } from '#web/answer-attachment.ts'
import { apiNotFound } from '#web/api/api-error.ts'
import { defineEventRoute } from '#web/api/reading/define-event-route.ts'

/** One of them, to be saved. */
export const GET = defineEventRoute(async ({ viewer, issue, eventId, params }) => {
  const found = (await listAttachments(viewer, issue, eventId)).find(({ name }) => name === params.attachment)
  return (found && (await answerAttachment(found))) ?? apiNotFound()
})
