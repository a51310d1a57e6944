import { allowedChanges } from '../change-fields.ts'
import type { LoadedIssue } from './load-issue.ts'

const maxAssignees = 50 // in a menu; more is a search

/** What the buttons of an issue need to know, and nothing more: it travels to the browser. */
export function actionProps({ issue, state, viewer, assignees }: LoadedIssue) {
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
