import type { LoadedIssue } from './load-issue.ts'

/** What the buttons of an issue need to know, and nothing more: it travels to the browser. */
export function actionProps({ issue, state, viewer, members }: LoadedIssue) {
  return {
    organizationSlug: viewer.organization.slug,
    issueId: issue.id,
    status: state.status,
    assignee: state.assignee,
    priority: state.priority,
    lastRelease: state.lastRelease,
    members: members.map(({ id, name }) => ({ id, name })),
    me: viewer.user.id,
  }
}
