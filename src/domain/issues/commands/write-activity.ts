import type { CommandContext } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
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
  | 'linked'
  | 'unlinked'

type ActivityEntry = {
  issueId: number
  projectId: number
  kind: ActivityKind
  detail: object
  undo?: UndoData
}

/** Call it with the context of an open transaction, so that no change exists without its entry. */
export async function writeActivity(
  { db, actor, now }: CommandContext,
  changeId: string,
  entries: readonly ActivityEntry[],
): Promise<void> {
  const at = now()
  for (const chunk of chunksOf(entries))
    await db
      .insertInto('issue_activity')
      .values(
        chunk.map(({ issueId, projectId, kind, detail, undo }) => ({
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

/** One audit entry per organization. The issues of the change are in their activity, under the same change id. */
export async function writeIssueAudit(
  context: CommandContext,
  action: string,
  changeId: string,
  issues: readonly Changed[],
): Promise<void> {
  const projectIds = [...new Set(issues.map(issue => issue.project_id))]
  const projects = await context.db
    .selectFrom('project')
    .select(['id', 'organization_id', 'slug'])
    .where('id', 'in', projectIds)
    .execute()
  for (const organizationId of new Set(projects.map(project => project.organization_id))) {
    const own = new Set(projects.filter(each => each.organization_id === organizationId).map(({ id }) => id))
    const changed = issues.filter(issue => own.has(issue.project_id))
    const [only] = changed
    const one = changed.length === 1 ? only : undefined
    const slug = projects.find(({ id }) => id === one?.project_id)?.slug ?? ''
    await writeAudit(context, {
      organizationId,
      action,
      target: one ? `issue:${one.id}` : `issues:${changed.length}`,
      label: one ? await findShortId(context, one, slug) : `${changed.length} issues`,
      detail: { issues: changed.length, change: changeId },
    })
  }
}

/** `WEB-42`, or empty for an issue that is already gone. */
async function findShortId({ db }: CommandContext, { id }: Changed, slug: string): Promise<string> {
  const row = await db.selectFrom('issue').select('number').where('id', '=', id).executeTakeFirst()
  return row === undefined ? '' : `${slug.toUpperCase()}-${row.number}`
}

/** The columns that a change may set and an undo restores. */
export type IssueState = {
  status: IssueStatus
  status_detail: string
  status_at: number
  substatus: IssueSubstatus
  substatus_at: number
  assignee: string
  priority: IssuePriority
}

/** Identifies a change that can be undone for an hour; empty when nothing changed. */
export type UndoToken = string

export type IssueChangeResult<Code extends string = never> =
  | { ok: true; changed: number; undo: UndoToken }
  | { ok: false; code: 'issue_not_found' | 'too_many_issues' | Code }

/** Stored in `issue_activity.undo`: `before` is restored if the issue still has the values of `after`. */
export type UndoData = { before: Partial<IssueState>; after: Partial<IssueState> }

export const undoForMs = 3_600_000 // another tab may show the undo button for long
