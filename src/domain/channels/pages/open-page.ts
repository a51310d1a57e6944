/** Every alert that opens at a pager is a page with a unique key, so the end of its subjects closes exactly that alert. */
import type { Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { PageSubjectKind } from '#store/control/channel-schema.ts'
import type { ControlSchema } from '#store/control/schema.ts'

type Trx = Transaction<ControlSchema>

/** Something that can end, and the rule that pages because of it, or 0. */
export type PageSubject = { kind: PageSubjectKind; ref: number; ruleId: number }

type Opening = {
  /** Of a new page. */
  id: string
  organizationId: number
  channelId: number
  /** Later messages about this subject join the page: `issue/42`. Empty for a summary, which no later message joins. */
  subject: string
  subjects: readonly PageSubject[]
  nowMs: number
}

/** Returns the page that is open for the subject, or a new one. */
export async function openPage(trx: Trx, opening: Opening): Promise<{ id: string; subject: string }> {
  const { organizationId, channelId, nowMs } = opening
  const known = opening.subject === '' ? null : await joinOpenPage(trx, opening)
  const id = known ?? opening.id
  const subject = opening.subject || `summary/${id}`
  if (known === null) {
    const { slug } = await trx
      .selectFrom('organization')
      .select('slug')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('page')
      .values({
        ...{ id, organization_id: organizationId, channel_id: channelId, key: pageKey(slug, subject, id), subject },
        ...{ opened_at: nowMs, told_at: nowMs },
      })
      .execute()
  }
  for (const chunk of chunksOf(opening.subjects))
    await trx
      .insertInto('page_subject')
      .values(chunk.map(({ kind, ref, ruleId }) => ({ page_id: id, kind, ref, rule_id: ruleId, checked_at: nowMs })))
      // The rule pages again after it had ended for this subject, while another rule kept the page open.
      .onConflict(conflict =>
        conflict.columns(['page_id', 'kind', 'ref', 'rule_id']).doUpdateSet({ ended_at: null, checked_at: nowMs }),
      )
      .execute()
  return { id, subject }
}

/** Starts with the subject, for readers, and ends with the unique id of the page. */
export const pageKey = (organization: string, subject: string, id: string): string =>
  `hydrant/${organization}/${subject.endsWith(id) ? subject : `${subject}/${id}`}`

/** Locks the page, so that it can't end before this transaction has added its subjects. */
async function joinOpenPage(trx: Trx, { channelId, subject, nowMs }: Opening): Promise<string | null> {
  const joined = await trx
    .updateTable('page')
    .set({ told_at: nowMs })
    .where('subject', '=', subject)
    .where('channel_id', '=', channelId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  return joined[0]?.id ?? null
}

/** `issue/42` as a subject. A message without one ends after an hour. */
export function readPageSubject(subject: string, ruleId: number): PageSubject {
  const [, kind, ref] = /^(issue|incident|channel)\/(\d{1,15})$/.exec(subject) ?? []
  return kind === undefined
    ? { kind: 'message', ref: 0, ruleId }
    : { kind: kind as PageSubjectKind, ref: Number(ref), ruleId }
}
