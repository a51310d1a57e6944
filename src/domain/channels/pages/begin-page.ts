/** Decides whether a message to a pager may go out, right before it is sent. */

import type { Kysely } from 'kysely'
import type { AlertMessage } from '#domain/channels/message.ts'
import { clipText } from '#lib/text.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { endPageSubjects } from './end-pages.ts'
import { listStaleSubjects } from './stale-subjects.ts'

type Db = Kysely<ControlSchema>
export type PageOfMessage = { id: string; key: string; subject: string; title: string; endedAt: number | null }

/** Null for a message that no pager gets. */
export async function findPageOf(db: Db, outboxId: string): Promise<PageOfMessage | null> {
  const row = await db
    .selectFrom('outbox')
    .innerJoin('page', 'page.id', 'outbox.page_id')
    .select(['page.id', 'page.key', 'page.subject', 'page.title', 'page.ended_at as endedAt'])
    .where('outbox.id', '=', outboxId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Records an opening before it is sent. If this process dies afterwards, the end of the page still knows that the pager may have it. If the
 * page has ended before, the message must not go out.
 */
export async function beginPage(
  db: Db,
  page: PageOfMessage,
  { action, title }: Pick<AlertMessage, 'action' | 'title'>,
  nowMs: number,
): Promise<boolean> {
  if (action === 'close') return true
  if (action === 'acknowledge') return page.endedAt === null
  return retryDeadlocks(() =>
    db.transaction().execute(async trx => {
      await endPageSubjects(trx, await listStaleSubjects(trx, { nowMs, pageId: page.id, limit: maxSubjects }), nowMs)
      const begun = await trx
        .updateTable('page')
        .set(eb => ({ attempted_at: eb.fn.coalesce('attempted_at', eb.val(nowMs)), title: clipText(title, 500) }))
        .where('id', '=', page.id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return begun.numUpdatedRows > 0n
    }),
  )
}

/** More than a flood collects in a few minutes. */
const maxSubjects = 20_000
