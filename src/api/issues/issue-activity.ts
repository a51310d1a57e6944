/** Handlers about the activity of an issue: changes, comments and feedback. */
import { z } from 'zod'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { listIssueActivity, listIssueFeedback } from '#domain/issues/list-issue-activity.ts'
import { apiError } from '../api-error.ts'
import { ofIssue } from '../named-resources.ts'
import { pageResponse, readPage } from '../pages.ts'
import { withInput } from '../with-input.ts'
import { serializeActivity } from './serialize-activity.ts'

export const getIssueActivities = ofIssue(async ({ viewer, issue }) =>
  Response.json({ activity: (await listIssueActivity(viewer, issue)).map(serializeActivity) }),
)

/** The comments on the issue, newest first. */
export const getIssueNotes = ofIssue(async ({ viewer, issue, request, search }) => {
  const page = readPage(search)
  const notes = (await listIssueActivity(viewer, issue)).filter(({ kind }) => kind === 'comment')
  return pageResponse(request, page, notes.slice(page.offset, page.offset + page.limit + 1).map(serializeActivity))
})

export const postIssueNote = withInput(
  z.object({ text: z.string() }),
  ofIssue(async ({ viewer, issue, context, input }) => {
    const scope = viewer.projects.map(({ id }) => id)
    const made = await commentOnIssue(context, { scope, issueId: issue.id, text: input.text })
    if (!made.ok)
      return apiError(
        400,
        made.code === 'comment_empty' ? 'text must not be empty.' : 'text is too long. Use at most 10,000 characters.',
      )
    const [latest] = (await listIssueActivity(viewer, issue)).filter(({ kind }) => kind === 'comment')
    return Response.json(latest ? serializeActivity(latest) : {}, { status: 201 })
  }),
)

/** The feedback of users about the issue. */
export const getIssueReports = ofIssue(async ({ viewer, issue, request, search }) => {
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
