/**
 * Finds the pages whose subjects have ended, by the state of issues, incidents, rules and projects. It makes no difference which command
 * or job ended them.
 */
import { type Kysely, sql } from 'kysely'
import type { Control } from '#store/control/control.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type EndedSubject, endPageSubjects } from './end-pages.ts'

type Db = Kysely<ControlSchema>

/** For messages without a subject, such as the test of a channel. */
const messageForMs = 60 * 60_000
const endedAtOnce = 500

/** Why a subject of a page has ended, in words; null while it has not. */
const because = (nowMs: number) => sql<string | null>`case
  when s.rule_id <> 0 and rule.id is null then 'the rule was deleted'
  when rule.is_on = 0 then 'the rule was turned off'
  when rule.snoozed_until > ${nowMs} then 'the rule was snoozed'
  when s.rule_id <> 0 and linked.rule_id is null then 'the channel was removed from the rule'
  when s.kind = 'issue' then case
    when issue.id is null or project.id is null then 'the issue was deleted'
    when project.deleted_at is not null then 'the project was deleted'
    when exists (select 1 from issue_hash where issue_hash.issue_id = s.ref) then case
      when issue.status = 'resolved' then 'the issue was resolved'
      when issue.status = 'archived' then 'the issue was archived' end
    when exists (select 1 from issue_hash where issue_hash.home_issue_id = s.ref) then 'the issue was merged'
    else 'the issue was deleted' end
  when s.kind = 'incident' then case
    when not exists (select 1 from incident where incident.id = s.ref and incident.closed_at is null)
      then 'the incident is closed' end
  when s.kind = 'channel' then case
    when not exists (select 1 from channel where channel.id = s.ref) then 'the channel was deleted'
    when exists (select 1 from channel where channel.id = s.ref and channel.state <> 'disabled')
      then 'the channel works again' end
  when page.attempted_at < ${nowMs - messageForMs} then 'it was sent an hour ago' end`

/** Subjects of open pages that have ended, of one page or of all. PostgreSQL plans it each time, and each join more than doubles that time. */
export async function listStaleSubjects(
  db: Db,
  { nowMs, pageId, limit = endedAtOnce }: { nowMs: number; pageId?: string; limit?: number },
): Promise<EndedSubject[]> {
  const { rows } = await sql<{
    page_id: string
    kind: EndedSubject['kind']
    ref: number
    rule_id: number
    because: string
  }>`
    select page_id, kind, ref, rule_id, because from (
      select s.page_id, s.kind, s.ref, s.rule_id, ${because(nowMs)} as because
      from page_subject as s
      inner join page on page.id = s.page_id
      left join alert_rule as rule on rule.id = s.rule_id
      left join alert_rule_channel as linked on linked.rule_id = s.rule_id and linked.channel_id = page.channel_id
      left join issue on s.kind = 'issue' and issue.id = s.ref
      left join project on project.id = issue.project_id
      where s.ended_at is null ${pageId === undefined ? sql`` : sql`and s.page_id = ${pageId}`}
    ) as found
    where because is not null order by page_id limit ${limit}`.execute(db)
  return rows.map(row => ({
    pageId: row.page_id,
    kind: row.kind,
    ref: Number(row.ref),
    ruleId: Number(row.rule_id),
    because: row.because,
  }))
}

/** Closes the pages whose subjects have ended. Returns how many. */
export async function closeStalePages({ db }: Control, nowMs: number): Promise<number> {
  for (let count = 0; ; ) {
    const stale = await listStaleSubjects(db, { nowMs })
    if (stale.length === 0) return count
    count += await retryDeadlocks(() => db.transaction().execute(trx => endPageSubjects(trx, stale, nowMs)))
  }
}
