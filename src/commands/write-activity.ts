import { chunkSize } from '#lib/ascending-chunks.ts'
import type { CommandContext } from './command-context.ts'
import type { UndoNote } from './issue-change.ts'

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

export type ActivityEntry = {
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
