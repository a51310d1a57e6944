import type { IssuePriority, IssueStatus, IssueSubstatus } from '#store/control/schema.ts'

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
