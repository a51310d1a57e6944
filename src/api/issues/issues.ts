/** Handlers about issues: lists, one issue and its changes. */
import { listIssueTickets } from '#domain/issues/list-issue-tickets.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiNotFound } from '../api-error.ts'
import { findNamedIssue, ofIssue, ofProject } from '../named-resources.ts'
import { withInput } from '../with-input.ts'
import { bulkChangeResponse } from './bulk-change-response.ts'
import { changeIssue } from './change-issues.ts'
import { bulkChangeInput, issueChangeInput } from './issue-change-input.ts'
import { issueResponse, serializeWholeIssue } from './issue-response.ts'
import { issueTagResponse } from './issue-tag-response.ts'
import { issueListResponse } from './list-issues-response.ts'

/** The issues of the organization that match `?query=`. */
export const getIssues: ApiHandler = issueListResponse

export const putIssues = withInput(bulkChangeInput, call => bulkChangeResponse(call, { mayNameAll: false }))

/** The issues of one project that match `?query=`. */
export const getProjectIssues = ofProject(issueListResponse)

/** Without ids and a search, all issues of the project: `sentry-cli issues resolve --all` asks for them like this. */
export const putProjectIssues = withInput(
  bulkChangeInput,
  ofProject(call => bulkChangeResponse(call, { mayNameAll: true })),
)

export const getIssue = ofIssue(call => issueResponse(call, call.issue))

/** Changes status, assignee or priority, and gives the changed issue. */
export const putIssue = withInput(
  issueChangeInput,
  ofIssue(async call => (await changeIssue(call, call.issue.id)) ?? issueResponse(call, call.issue)),
)

/** The issue of a short id such as `WEB-42`. */
export const getShortId: ApiHandler<'shortId'> = async call => {
  const issue = await findNamedIssue(call.viewer, call.params.shortId)
  const group = issue && (await serializeWholeIssue(call, issue))
  if (!group) return apiNotFound()
  return Response.json({
    organizationSlug: call.viewer.organization.slug,
    projectSlug: issue.projectSlug,
    groupId: String(issue.id),
    group,
    shortId: issue.shortId,
  })
}

/** The values of a tag in the issue's events, most frequent first. */
export const getIssueTag = ofIssue<'key'>(call => issueTagResponse(call, call.params.key))

/** The linked tickets. They are links of any tracker, so the service is unknown. */
export const getExternalIssues = ofIssue(async ({ viewer, issue }) =>
  Response.json(
    (await listIssueTickets(viewer, issue)).map(({ id, url, title }) => ({
      id: String(id),
      issueId: String(issue.id),
      serviceType: '',
      displayName: title || url,
      webUrl: url,
    })),
  ),
)
