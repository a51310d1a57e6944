import type { CommandContext } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { IssuePriority, IssueStatus, IssueSubstatus } from '#store/control/schema.ts'

export type ActivityKind =
  | 'resolved'
  | 'archived'
  | 'reopened'
  | 'assigned'
  | 'priority'
  | 'comment'
  | 'deleted'
  | 'discarded'
  | 'merged'
  | 'unmerged'
  | 'undone'

type ActivityEntry = {
  issueId: number
  projectId: number
  kind: ActivityKind
  detail: object
  undo?: UndoNote
}

/** Always called with the context of an open transaction: no change without its entry. */
export async function writeActivity(
  { db, actor, now }: CommandContext,
  changeId: string,
  entries: readonly ActivityEntry[],
): Promise<void> {
  const at = now()
  for (let start = 0; start < entries.length; start += chunkSize)
    await db
      .insertInto('issue_activity')
      .values(
        entries.slice(start, start + chunkSize).map(({ issueId, projectId, kind, detail, undo }) => ({
          issue_id: issueId,
          project_id: projectId,
          at,
          actor,
          kind,
          detail: JSON.stringify(detail),
          change_id: changeId,
          undo: undo === undefined ? '' : JSON.stringify(undo),
        })),
      )
      .execute()
}

type Changed = { id: number; project_id: number }

/** One entry for each organization, however many issues: which ones is in their activity, under the same change. */
export async function writeIssueAudit(
  context: CommandContext,
  action: string,
  changeId: string,
  issues: readonly Changed[],
): Promise<void> {
  const projectIds = [...new Set(issues.map(issue => issue.project_id))]
  const projects = await context.db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('id', 'in', projectIds)
    .execute()
  for (const organizationId of new Set(projects.map(project => project.organization_id))) {
    const own = new Set(projects.filter(each => each.organization_id === organizationId).map(({ id }) => id))
    const changed = issues.filter(issue => own.has(issue.project_id))
    const [only] = changed
    const target = changed.length === 1 && only ? `issue:${only.id}` : `issues:${changed.length}`
    await writeAudit(context, { organizationId, action, target, detail: { issues: changed.length, change: changeId } })
  }
}

/** What a change may set, and what undoing it sets back. */
export type IssueState = {
  status: IssueStatus
  status_detail: string
  status_at: number
  substatus: IssueSubstatus
  substatus_at: number
  assignee: string
  priority: IssuePriority
}

/** Names a change that can be undone for an hour; empty where nothing was changed. */
export type UndoToken = string

export type IssueChangeResult<Code extends string = never> =
  | { ok: true; changed: number; undo: UndoToken }
  | { ok: false; code: 'issue_not_found' | 'too_many_issues' | Code }

/** Kept in `issue_activity.undo`: `before` is set back where the issue still is as the change left it. */
export type UndoNote = { before: Partial<IssueState>; after: Partial<IssueState> }

export const undoForMs = 3_600_000 // a toast is gone after seconds; another tab may show it for longer
