import { randomUUID } from 'node:crypto'
import type { CommandContext } from '#domain/access/command-context.ts'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import { termColumns } from '#store/control/status-detail.ts'
import { appendChanges, type ChangeDetail, type ChangeKind } from '../change-log/append-changes.ts'
import { type IssueState, writeActivity, writeIssueAudit } from './write-activity.ts'

type PlannedChange = { set: Partial<IssueState>; detail: object }
type Change = {
  /** Noun and verb for the audit log: `issue.resolve`. */
  action: string
  kind: 'resolved' | 'archived' | 'reopened' | 'assigned' | 'priority'
  /** Null for an issue that already is in the wanted state. */
  plan: (issue: TargetIssue) => PlannedChange | null
}
type Planned = PlannedChange & { issue: TargetIssue }

/** Applies the planned change to each issue and writes activity, undo data and audit log. Runs in the caller's transaction. */
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
  await logIssueChanges(
    context,
    kind,
    planned.map(({ issue, set }) => ({ issue, detail: changedState(issue, set) })),
  )
  await writeIssueAudit(
    context,
    action,
    changeId,
    planned.map(({ issue }) => issue),
  )
  return { ok: true, changed: planned.length, undo: changeId }
}

/** Appends a command's changes to the change log. */
export async function logIssueChanges(
  { db, actor, now }: CommandContext,
  kind: ChangeKind,
  changes: readonly { issue: { id: number; project_id: number }; detail?: ChangeDetail }[],
): Promise<void> {
  const at = now()
  await appendChanges(
    db,
    changes.map(({ issue, detail = {} }) => ({
      projectId: issue.project_id,
      issueId: issue.id,
      kind,
      at,
      actor,
      detail,
    })),
  )
}

/** The values that a patch changes, before and after. */
export function changedState(issue: TargetIssue, set: Partial<IssueState>): ChangeDetail {
  const pick = ({ status, substatus, assignee, priority }: Partial<IssueState>) => ({
    status,
    substatus,
    assignee,
    priority,
  })
  return { from: pick(sameKeys(set, issue)), to: pick(set) }
}

/** One statement for all issues with the same change: ten thousand issues take a few dozen statements. */
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
    for (const chunk of ascendingChunks(ids))
      await db.updateTable('issue').set(withTerms(set)).where('id', 'in', chunk).execute()
}

/** A change of the status sets status and detail together. */
const withTerms = (set: Partial<IssueState>) =>
  set.status === undefined ? set : { ...set, ...termColumns(set.status, set.status_detail ?? '{}') }

// The cast is safe: every key of the patch is a key of IssueState.
const sameKeys = (patch: Partial<IssueState>, state: IssueState): Partial<IssueState> =>
  Object.fromEntries((Object.keys(patch) as (keyof IssueState)[]).map(key => [key, state[key]]))

/**
 * Locks issues until the transaction ends and returns their organization; null unless all of them exist in the project and have
 * hashes. The lock makes two merges of the same issues run one after the other.
 */
export async function lockIssues(
  { db }: CommandContext,
  projectId: number,
  issueIds: readonly number[],
): Promise<{ organizationId: number } | null> {
  const project = await db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (project === undefined) return null
  // A no-op update locks the row on SQLite and PostgreSQL alike.
  for (const id of issueIds.toSorted((a, b) => a - b))
    await db
      .updateTable('issue')
      .set(eb => ({ title: eb.ref('title') }))
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .execute()
  const seen = await db
    .selectFrom('issue')
    .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
    .select('issue.id')
    .distinct()
    .where('issue.id', 'in', issueIds)
    .where('issue.project_id', '=', projectId)
    .execute()
  return seen.length === issueIds.length ? { organizationId: project.organization_id } : null
}

export type TargetIssue = IssueState & { id: number; project_id: number; title: string }
type Target = { ok: true; issues: TargetIssue[] } | { ok: false; code: 'issue_not_found' | 'too_many_issues' }

/** Reads the issues and locks them until the transaction ends: a no-op update locks on SQLite and PostgreSQL alike. */
export async function readTarget({ db }: CommandContext, { scope, issueIds }: IssueTarget): Promise<Target> {
  if (issueIds.length > maxIssuesAtOnce) return { ok: false, code: 'too_many_issues' }
  const issues: TargetIssue[] = []
  for (const ids of scope.length === 0 ? [] : ascendingChunks(issueIds)) {
    const rows = await db
      .updateTable('issue')
      .set(eb => ({ status_at: eb.ref('status_at') }))
      .where('id', 'in', ids)
      .where('project_id', 'in', scope)
      // An issue without hashes was deleted or merged away.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('issue_hash').select('issue_id').whereRef('issue_hash.issue_id', '=', 'issue.id')),
      )
      .returning([
        'id',
        'project_id',
        'title',
        'status',
        'status_detail',
        'status_at',
        'substatus',
        'substatus_at',
        'assignee',
        'priority',
      ])
      .execute()
    issues.push(...rows)
  }
  return issues.length === 0 ? { ok: false, code: 'issue_not_found' } : { ok: true, issues }
}

/** The issues of a command. The scope comes from the viewer: issues outside of it are not found. */
export type IssueTarget = {
  /** Project ids. */
  scope: readonly number[]
  issueIds: readonly number[]
}

/** The most that "all matching issues" may change: one transaction locks them all, and digest waits for it. */
export const maxIssuesAtOnce = 10_000
