import { z } from 'zod'
import { apiError } from '#api/api-error.ts'
import { defineIssueRoute } from '#api/define-issue-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { serializeActivity } from '#api/serialize-activity.ts'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { listIssueActivity } from '#domain/issues/list-issue-activity.ts'

/** The comments on the issue, newest first. */
export const GET = defineIssueRoute({ needs: 'event:read' }, async ({ viewer, issue, request, search }) => {
  const page = readPage(search)
  const notes = (await listIssueActivity(viewer, issue)).filter(({ kind }) => kind === 'comment')
  return pageResponse(request, page, notes.slice(page.offset, page.offset + page.limit + 1).map(serializeActivity))
})

const input = z.object({ text: z.string() })

export const POST = defineIssueRoute({ needs: { does: ['issue.comment'] }, input }, async call => {
  const { viewer, issue, context } = call
  const scope = viewer.projects.map(({ id }) => id)
  const made = await commentOnIssue(context, { scope, issueId: issue.id, text: call.input.text })
  if (!made.ok)
    return apiError(
      400,
      made.code === 'comment_empty' ? 'text must not be empty.' : 'text is too long. Use at most 10,000 characters.',
    )
  const [latest] = (await listIssueActivity(viewer, issue)).filter(({ kind }) => kind === 'comment')
  return Response.json(latest ? serializeActivity(latest) : {}, { status: 201 })
})
