import { after } from 'next/server'
import { markIssueSeen } from '#commands/mark-issue-seen.ts'
import { countIssueEvents } from '#queries/count-issue-events.ts'
import type { Issue } from '#queries/find-issue.ts'
import { findIssueState } from '#queries/find-issue-state.ts'
import { findShownEvent } from '#queries/find-shown-event.ts'
import { listAssignees } from '#queries/list-assignees.ts'
import { listIssueActivity } from '#queries/list-issue-activity.ts'
import { listIssueGroups } from '#queries/list-issue-groups.ts'
import { listTagShares } from '#queries/list-tag-shares.ts'
import { readStacks } from '#queries/maps/read-stacks.ts'
import type { EventChoice } from '#queries/pick-event.ts'
import type { Viewer } from '#queries/viewer.ts'
import { getRuntime } from '#runtime.ts'
import { attempt } from '#web/attempt.ts'
import { getSymbolicator } from '#web/get-symbolicator.ts'
import type { IssueAddress } from './search-params.ts'

/**
 * Everything that an issue's page draws, asked for at once. Each panel fails on its own. The event comes first, since it leads to
 * more; the chart waits for its bars by itself, while the rest is drawn.
 */
export async function loadIssue(viewer: Viewer, issue: Issue, choice: EventChoice, { filter }: IssueAddress) {
  const eventSoon = attempt('event', loadEvent(viewer, issue, choice, filter))
  const bars = attempt('event bars', countIssueEvents(viewer, issue, filter))
  const [state, assignees, groups, activity, shares, event] = await Promise.all([
    findIssueState(viewer, issue),
    listAssignees(viewer),
    listIssueGroups(viewer, issue),
    attempt('activity', listIssueActivity(viewer, issue)),
    attempt('tag shares', listTagShares(viewer, issue, filter)),
    eventSoon,
  ])
  const { control, clock } = getRuntime()
  after(() =>
    markIssueSeen(
      { db: control.db, actor: `user:${viewer.user.id}`, now: clock.now },
      { userId: viewer.user.id, issueId: issue.id },
    ),
  )
  return { viewer, issue, state, assignees, groups, activity, bars, shares, event }
}
export type LoadedIssue = Awaited<ReturnType<typeof loadIssue>>

async function loadEvent(viewer: Viewer, issue: Issue, choice: EventChoice, filter: IssueAddress['filter']) {
  const shown = await findShownEvent(viewer, issue, choice, { filter, within: 'issue' })
  if (!shown) return null
  const { event, picked } = shown
  const stored = { projectId: issue.projectId, data: event.data }
  // Maps that cannot be had now are no reason to show nothing: the stack as it was stored is still a stack.
  const read = await attempt('stacks', readStacks(viewer, getSymbolicator(), stored))
  return { event, picked, stacks: read.ok ? read.value : { data: event.data, advice: [] } }
}
