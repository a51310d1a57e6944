/**
 * The log of what happened to issues. Every transaction that changes an issue, or which hashes it has, appends a row here; readers
 * follow the log by cursor (read-changes.ts): the mirror in telemetry today.
 */
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { jsonOf } from '#lib/json-value.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export const changeKinds = [
  'new',
  'regressed',
  'escalating',
  /** Ceased to be new, regressed or escalating, because time has passed. */
  'ongoing',
  'resolved',
  'archived',
  /** An archive ended by its terms. */
  'unarchived',
  'reopened',
  'assigned',
  'priority',
  'undone',
  'merged',
  'unmerged',
  'deleted',
  'discarded',
  'restored',
  /** Got a hash, or lost one to another issue. */
  'hashes',
  /** What the list shows of it: title, culprit, first event, unhandled. */
  'edited',
  /** Has more or fewer users or events than a minute ago. Only the order of lists depends on it. */
  'impact',
] as const
export type ChangeKind = (typeof changeKinds)[number]

const state = z.object({
  status: z.string().optional(),
  substatus: z.string().optional(),
  assignee: z.string().optional(),
  priority: z.string().optional(),
})

const changeDetail = z.object({
  /** The values that changed, before and after. */
  from: state.optional(),
  to: state.optional(),
  /** The event that caused the change, and its release. */
  eventId: z.string().optional(),
  release: z.string().optional(),
  /** Of an issue that escalates: the events of the hour, and how many are usual. */
  events: z.number().optional(),
  usual: z.number().optional(),
  /** Hashes that belong to no issue anymore. */
  hashes: z.array(z.string()).optional(),
})
export type ChangeDetail = z.output<typeof changeDetail>

export type IssueChange = {
  projectId: number
  issueId: number
  kind: ChangeKind
  at: number
  /** As in the activity: `user:<id>`, `token:<id>`, `cli` or `hydrant`. */
  actor: string
  detail?: ChangeDetail
}

/** A detail that cannot be read is empty: the row still names its issue. */
export function readChangeDetail(text: string): ChangeDetail {
  const read = changeDetail.safeParse(jsonOf(text))
  return read.success ? read.data : {}
}

/** Takes an open transaction: a change and its row are committed together or not at all. */
export async function appendChanges(db: Kysely<ControlSchema>, changes: readonly IssueChange[]): Promise<void> {
  if (!db.isTransaction) throw new Error('A change must be appended in the transaction that makes it.')
  for (const chunk of chunksOf(changes))
    await db
      .insertInto('issue_change')
      .values(
        chunk.map(({ projectId, issueId, kind, at, actor, detail = {} }) => ({
          project_id: projectId,
          issue_id: issueId,
          kind,
          at,
          actor,
          detail: JSON.stringify(detail),
        })),
      )
      .execute()
}
