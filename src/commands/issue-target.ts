/** Which issues a command is about. The scope comes from the viewer: an issue outside of it is simply not there. */
export type IssueTarget = {
  /** Project ids. */
  scope: readonly number[]
  issueIds: readonly number[]
}

/** Issues at once: what "all that match" may reach. One transaction holds them all, and digest waits for it. */
export const maxIssuesAtOnce = 10_000
