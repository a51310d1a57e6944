import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { allowedChanges } from '../bulk-input.ts'
import type { IssueHead } from './load-issue.ts'

const maxAssignees = 50 // a longer menu would need a search field

/** Only the fields that the buttons need, because these props are sent to the browser. */
export function actionProps({ issue, state, viewer, assignees }: IssueHead) {
  return {
    organizationSlug: viewer.organization.slug,
    issueId: issue.id,
    status: state.status,
    assignee: state.assignee,
    priority: state.priority,
    lastRelease: state.lastRelease,
    assignees: assignees.slice(0, maxAssignees),
    verbs: allowedChanges(viewer.role),
    me: `user:${viewer.user.id}`,
  }
}

export const mayWrite = (viewer: Viewer): boolean => mayDo(viewer.role, 'issue.resolve')
export const mayComment = (viewer: Viewer): boolean => mayDo(viewer.role, 'issue.comment')
export const mayLink = (viewer: Viewer): boolean => mayDo(viewer.role, 'issue.link')
export const mayUnmerge = (viewer: Viewer): boolean => mayDo(viewer.role, 'issue.unmerge')
