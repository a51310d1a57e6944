import { randomUUID } from 'node:crypto'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { CommandContext } from './command-context.ts'
import type { IssueState } from './issue-change.ts'
import type { TargetIssue } from './read-target.ts'
import { type ActivityKind, writeActivity } from './write-activity.ts'
import { writeIssueAudit } from './write-issue-audit.ts'

export type PlannedChange = { set: Partial<IssueState>; detail: object }
type Change = {
  /** Noun and verb for the audit: `issue.resolve`. */
  action: string
  kind: ActivityKind
  /** Null for an issue that is so already: it is left alone and has no entry. */
  plan: (issue: TargetIssue) => PlannedChange | null
}
type Planned = PlannedChange & { issue: TargetIssue }

/** Sets what was planned for each issue, and writes who did it, when, and what it was before. In the caller's transaction. */
export async function changeIssues(
  context: CommandContext,
  issues: readonly TargetIssue[],
  { action, kind, plan }: Change,
): Promise<{ ok: true; changed: number; undo: string }> {
  const planned: Planned[] = issues.flatMap(issue => {
    const change = plan(issue)
    return change === null ? [] : [{ issue, ...change }]
  })
  if (planned.length === 0) return { ok: true, changed: 0, undo: '' }
  const changeId = randomUUID()
  await setStates(
    context,
    planned.map(({ issue, set }) => ({ id: issue.id, set })),
  )
  await writeActivity(
    context,
    changeId,
    planned.map(({ issue, set, detail }) => ({
      issueId: issue.id,
      projectId: issue.project_id,
      kind,
      detail,
      undo: { before: sameKeys(set, issue), after: set },
    })),
  )
  await writeIssueAudit(
    context,
    action,
    changeId,
    planned.map(({ issue }) => issue),
  )
  return { ok: true, changed: planned.length, undo: changeId }
}

/** Issues that are set to the same are set together: ten thousand are a few dozen statements. */
export async function setStates(
  { db }: CommandContext,
  changes: readonly { id: number; set: Partial<IssueState> }[],
): Promise<void> {
  const alike = new Map<string, { set: Partial<IssueState>; ids: number[] }>()
  for (const { id, set } of changes) {
    const key = JSON.stringify(set)
    const group = alike.get(key)
    if (group) group.ids.push(id)
    else alike.set(key, { set, ids: [id] })
  }
  for (const { set, ids } of alike.values())
    for (const chunk of ascendingChunks(ids)) await db.updateTable('issue').set(set).where('id', 'in', chunk).execute()
}

/** The cast holds because every key of the patch is a key of a state. */
const sameKeys = (patch: Partial<IssueState>, state: IssueState): Partial<IssueState> =>
  Object.fromEntries((Object.keys(patch) as (keyof IssueState)[]).map(key => [key, state[key]]))
