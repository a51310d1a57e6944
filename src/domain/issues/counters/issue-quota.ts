/**
 * Limits the new issues of a project. A client that sends a different text with each error would fill the list and the pagers; above
 * the limit, further groups are counted in one issue, each with its own hash, so that one can be taken out later (0119).
 */
import type { Transaction } from 'kysely'
import { feedbackKind, overflowKind } from '#lib/event-kind.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { GroupedEvent } from './grouped-event.ts'

type Trx = Transaction<ControlSchema>

/** Per ten minutes; 0 for no limit. */
export type IssueLimits = { all: number; fatal: number }
export const noIssueLimits: IssueLimits = { all: 0, fatal: 0 }

export const overflowTitle = 'Too many new issues'
const minuteMs = 60_000
export const quotaMinutes = 10
/** A flood of another day is another issue. */
const oneFloodMs = 86_400_000

/** Counts a new issue if it may be one. Holds the project's lock, so no other node counts meanwhile. */
export async function takeIssue(trx: Trx, event: GroupedEvent, limits: IssueLimits, at: number): Promise<boolean> {
  const isFatal = event.level === 'fatal' ? 1 : 0
  const limit = isFatal === 1 ? limits.fatal : limits.all
  if (limit === 0 || event.kind === feedbackKind) return true
  const minute = Math.floor(at / minuteMs)
  const rows = trx
    .selectFrom('new_issue_minute')
    .where('project_id', '=', event.projectId)
    .where('is_fatal', '=', isFatal)
  // Minutes to come are those of a clock that was ahead.
  const used = await rows
    .select(({ fn }) => fn.sum<number | null>('quantity').as('issues'))
    .where('minute', '>', minute - quotaMinutes)
    .where('minute', '<=', minute)
    .executeTakeFirst()
  if (Number(used?.issues ?? 0) >= limit) return false
  const key = { project_id: event.projectId, minute, is_fatal: isFatal } as const
  await trx
    .insertInto('new_issue_minute')
    .values({ ...key, quantity: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['project_id', 'minute', 'is_fatal'])
        .doUpdateSet(eb => ({ quantity: eb('new_issue_minute.quantity', '+', 1) })),
    )
    .execute()
  await trx
    .deleteFrom('new_issue_minute')
    .where('project_id', '=', event.projectId)
    .where('minute', '<=', minute - quotaMinutes)
    .execute()
  return true
}

/** The issue of the present flood. Null if it is not there yet. */
export async function findOverflow(trx: Trx, projectId: number, at: number): Promise<number | null> {
  const row = await trx
    .selectFrom('issue')
    .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
    .select('issue.id')
    .where('issue.project_id', '=', projectId)
    .where('issue.kind', '=', overflowKind)
    .where('issue.created_at', '>', at - oneFloodMs)
    .where('issue.created_at', '<=', at + oneFloodMs)
    .orderBy('issue.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
