import { apiNotFound } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { findCalledIssue } from '#api/define-issue-route.ts'
import { serializeWholeIssue } from '#api/issue-response.ts'

/** The issue of a short id such as `WEB-42`. */
export const GET = defineApiRoute({ needs: 'event:read' }, async call => {
  const issue = await findCalledIssue(call.viewer, call.params.shortId ?? '')
  const group = issue && (await serializeWholeIssue(call, issue))
  if (!group) return apiNotFound()
  return Response.json({
    organizationSlug: call.viewer.organization.slug,
    projectSlug: issue.projectSlug,
    groupId: String(issue.id),
    group,
    shortId: issue.shortId,
  })
})
