/** Ends pages: when all subjects of a page have ended, its pager gets a resolve, unless no attempt to open the page was made. */
import type { Kysely, Transaction } from 'kysely'
import { enqueue } from '#domain/channels/enqueue.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { PageSubject } from './open-page.ts'
import { pageEndMessage } from './page-messages.ts'

type Trx = Transaction<ControlSchema>

export type EndedSubject = PageSubject & {
  pageId: string
  /** `the rule was turned off`. */
  because: string
  /** Sent instead of the plain end, if the page is about nothing else. */
  message?: object
}

/** Ends subjects, and the pages that have no other. Returns how many pages that were. */
export async function endPageSubjects(trx: Trx, ended: readonly EndedSubject[], nowMs: number): Promise<number> {
  let count = 0
  // In one order, so that two transactions cannot wait for each other.
  const byPage = [...Map.groupBy(ended, ({ pageId }) => pageId)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [pageId, subjects] of byPage) if (await endSubjectsOf(trx, pageId, subjects, nowMs)) count += 1
  return count
}

async function endSubjectsOf(trx: Trx, pageId: string, ended: readonly EndedSubject[], nowMs: number) {
  // Locks the page: a message that joins it meanwhile waits, and then finds it ended.
  const page = await trx
    .updateTable('page')
    .set(eb => ({ told_at: eb.ref('told_at') }))
    .where('id', '=', pageId)
    .where('ended_at', 'is', null)
    .returning(['channel_id', 'subject', 'told_at', 'attempted_at'])
    .executeTakeFirst()
  if (page === undefined) return false
  for (const [name, group] of Map.groupBy(ended, ({ kind, ruleId }) => `${kind} ${ruleId}`))
    for (const chunk of chunksOf(group))
      await trx
        .updateTable('page_subject')
        .set({ ended_at: nowMs })
        .where('page_id', '=', pageId)
        .where('kind', '=', chunk[0]?.kind ?? 'message')
        .where('rule_id', '=', Number(name.split(' ')[1]))
        .where(
          'ref',
          'in',
          chunk.map(({ ref }) => ref),
        )
        .execute()
  const other = await trx
    .selectFrom('page_subject')
    .select('ref')
    .where('page_id', '=', pageId)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) return false
  const last = ended.at(-1)
  const because = last?.because ?? ''
  await trx.updateTable('page').set({ ended_at: nowMs, reason: because }).where('id', '=', pageId).execute()
  await dropQueued(trx, pageId, nowMs)
  if (page.attempted_at === null) return true
  // After everything that was queued before, also by a node whose clock is ahead.
  const at = Math.max(nowMs, page.told_at + 1)
  const own = ended.length === 1 && page.subject === `${last?.kind}/${last?.ref}` ? last?.message : undefined
  const message = { ...pageEndMessage(because), ...own }
  const key = `page-end/${pageId}`
  await enqueue(trx, { channelId: page.channel_id, key, message, notBefore: nowMs, subject: page.subject, pageId }, at)
  return true
}

/** Nothing opens after its end. A message that is being sent now is followed by the end. */
async function dropQueued(trx: Trx, pageId: string, nowMs: number): Promise<void> {
  await trx
    .deleteFrom('outbox')
    .where('page_id', '=', pageId)
    .where('state', '=', 'queued')
    .where('leased_until', '<=', nowMs)
    .execute()
}

/** The subjects of open pages for which something holds. */
export async function listOpenSubjects(
  db: Kysely<ControlSchema>,
  of: {
    channelIds: readonly number[]
    kind?: PageSubject['kind']
    refs?: readonly number[]
    ruleId?: number
    areKnown?: boolean
  },
): Promise<(PageSubject & { pageId: string })[]> {
  const { channelIds, kind, refs, ruleId, areKnown = false } = of
  const rows = await db
    .selectFrom('page_subject')
    .innerJoin('page', 'page.id', 'page_subject.page_id')
    .select(['page.id as pageId', 'page_subject.kind', 'page_subject.ref', 'page_subject.rule_id as ruleId'])
    .where('page.channel_id', 'in', [0, ...channelIds])
    .where('page.ended_at', 'is', null)
    .where('page_subject.ended_at', 'is', null)
    .$if(areKnown, query => query.where('page.attempted_at', 'is not', null))
    .$if(kind !== undefined, query => query.where('page_subject.kind', '=', kind ?? 'message'))
    .$if(refs !== undefined, query => query.where('page_subject.ref', 'in', [0, ...(refs ?? [])]))
    .$if(ruleId !== undefined, query => query.where('page_subject.rule_id', '=', ruleId ?? 0))
    .execute()
  return rows
}

/** Ends all pages of a channel that is turned off or removed, or only those that its pager may know. */
export async function endPagesOfChannel(
  trx: Trx,
  channelId: number,
  because: string,
  nowMs: number,
  { areKnown = false }: { areKnown?: boolean } = {},
): Promise<void> {
  const subjects = await listOpenSubjects(trx, { channelIds: [channelId], areKnown })
  await endPageSubjects(
    trx,
    subjects.map(subject => ({ ...subject, because })),
    nowMs,
  )
}
