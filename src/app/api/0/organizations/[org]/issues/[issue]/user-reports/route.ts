import { defineIssueRoute } from '#api/define-issue-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { listIssueFeedback } from '#domain/issues/list-issue-activity.ts'

/** The feedback of users about the issue. */
export const GET = defineIssueRoute({ needs: 'event:read' }, async ({ viewer, issue, request, search }) => {
  const page = readPage(search)
  const reports = await listIssueFeedback(viewer, issue, { limit: page.limit + 1, offset: page.offset })
  return pageResponse(
    request,
    page,
    reports.map(({ id, eventId, name, email, message, at }) => ({
      id,
      eventID: eventId,
      name: name || null,
      email: email || null,
      comments: message,
      dateCreated: new Date(at).toISOString(),
      user: null,
      event: { id: eventId, eventID: eventId },
    })),
  )
})
