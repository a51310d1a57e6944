import { countTags } from '#domain/issues/count-tags.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { findIssueState } from '#domain/issues/find-issue.ts'
import { countIssueUsers } from '#domain/issues/issue-totals.ts'
import { readIssueRows } from '#domain/issues/list/read-issue-rows.ts'
import { listIssueActivity } from '#domain/issues/list-issue-activity.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import type { ApiCall } from '../api-call.ts'
import { apiNotFound } from '../api-error.ts'
import { serializeActivity } from './serialize-activity.ts'
import { serializeIssue, serializeVersion } from './serialize-issue.ts'

type Call = Pick<ApiCall, 'viewer' | 'request'>

export async function issueResponse(call: Call, issue: Issue): Promise<Response> {
  const whole = await serializeWholeIssue(call, issue)
  return whole ? Response.json(whole) : apiNotFound()
}

/** One issue with all details. Its counts cover its whole life. */
export async function serializeWholeIssue({ viewer, request }: Call, issue: Issue) {
  const [[row], users, state, activity, projects, tags] = await Promise.all([
    readIssueRows(viewer, [issue.id]),
    countIssueUsers(viewer.control, [issue.id]),
    findIssueState(viewer, issue),
    listIssueActivity(viewer, issue),
    listProjects(viewer),
    countTags(viewer, issue),
  ])
  if (!row) return null
  const counted = { ...row, events: issue.eventCount, users: users.get(issue.id) ?? 0, isSampled: false }
  const byId = new Map(projects.map(project => [project.id, project]))
  return {
    ...serializeIssue(counted, { viewer, request, projects: byId }),
    firstRelease: state.firstRelease === '' ? null : serializeVersion(state.firstRelease),
    numComments: activity.filter(({ kind }) => kind === 'comment').length,
    activity: activity.map(serializeActivity),
    participants: [],
    seenBy: [],
    userReportCount: 0,
    pluginActions: [],
    pluginIssues: [],
    pluginContexts: [],
    tags: tags.map(({ key, total }) => ({ key, name: key, totalValues: total })),
  }
}
