/** Handlers about the activity of an issue: changes, comments and feedback. */
import { z } from 'zod'
import { projectIds } from '#domain/access/viewer.ts'
import { deleteComment, editComment } from '#domain/issues/commands/change-comment.ts'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { listIssueActivity, listIssueFeedback } from '#domain/issues/list-issue-activity.ts'
import { apiError, apiNotFound } from '../api-error.ts'
import { ofIssue } from '../named-resources.ts'
import { keyedResponse, readPage } from '../pages.ts'
import { strictFields } from '../strict-fields.ts'
import { withInput } from '../with-input.ts'
import { serializeActivity } from './serialize-activity.ts'

export const getIssueActivities = ofIssue(async ({ viewer, issue }) =>
  Response.json({ activity: (await listIssueActivity(viewer, issue)).map(serializeActivity) }),
)

/** The comments on the issue, newest first. */
export const getIssueNotes = ofIssue(async ({ viewer, issue, request, search }) => {
  const page = readPage(search, { isKeyed: true })
  if (page instanceof Response) return page
  const before = page.after && { at: page.after.key ?? 0, id: Number(page.after.id) }
  const notes = await listIssueActivity(viewer, issue, { kind: 'comment', limit: page.limit + 1, before })
  return keyedResponse(request, page, notes, {
    keyOf: ({ at, id }) => ({ key: at, id: String(id) }),
    serialize: rows => rows.map(serializeActivity),
  })
})

const noteInput = z.strictObject({ text: z.string() }, strictFields)

export const postIssueNote = withInput(
  noteInput,
  ofIssue(async ({ viewer, issue, context, input }) => {
    const made = await commentOnIssue(context, { scope: projectIds(viewer), issueId: issue.id, text: input.text })
    if (!made.ok) return noteFault(made.code)
    const [latest] = await listIssueActivity(viewer, issue, { kind: 'comment', limit: 1 })
    return Response.json(latest ? serializeActivity(latest) : {}, { status: 201 })
  }),
)

/** Only the token that wrote a note can change or delete it. */
export const putIssueNote = withInput(
  noteInput,
  ofIssue<'note', z.output<typeof noteInput>>(async ({ viewer, issue, context, input, params }) => {
    const commentId = readNote(params.note)
    if (commentId === null) return apiNotFound()
    const saved = await editComment(context, {
      scope: projectIds(viewer),
      issueId: issue.id,
      commentId,
      text: input.text,
    })
    if (!saved.ok) return saved.code === 'comment_not_found' ? apiNotFound() : noteFault(saved.code)
    const [entry] = await listIssueActivity(viewer, issue, { id: commentId })
    return Response.json(entry ? serializeActivity(entry) : {})
  }),
)

export const deleteIssueNote = ofIssue<'note'>(async ({ viewer, issue, context, params }) => {
  const commentId = readNote(params.note)
  if (commentId === null) return apiNotFound()
  const gone = await deleteComment(context, { scope: projectIds(viewer), issueId: issue.id, commentId })
  return gone.ok ? new Response(null, { status: 204 }) : apiNotFound()
})

const readNote = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

const noteFault = (code: string): Response =>
  apiError(
    400,
    code === 'comment_empty' ? 'text must not be empty.' : 'text is too long. Use at most 10,000 characters.',
  )

/** The feedback of users about the issue. */
export const getIssueReports = ofIssue(async ({ viewer, issue, request, search }) => {
  const page = readPage(search, { isKeyed: true })
  if (page instanceof Response) return page
  const after = page.after && { at: page.after.key ?? 0, id: page.after.id }
  const reports = await listIssueFeedback(viewer, issue, { limit: page.limit + 1, after })
  return keyedResponse(request, page, reports, {
    keyOf: ({ at, id }) => ({ key: at, id }),
    serialize: rows =>
      rows.map(({ id, eventId, name, email, message, at }) => ({
        id,
        eventID: eventId,
        name: name || null,
        email: email || null,
        comments: message,
        dateCreated: new Date(at).toISOString(),
        user: null,
        event: { id: eventId, eventID: eventId },
      })),
  })
})
