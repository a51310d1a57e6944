import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { readWebUrl } from '#lib/web-url.ts'
import { readTarget } from './change-issues.ts'
import { writeActivity, writeIssueAudit } from './write-activity.ts'

type OnIssue = { scope: readonly number[]; issueId: number }
type LinkResult =
  | { ok: true }
  | {
      ok: false
      code:
        | 'issue_not_found'
        | 'too_many_issues'
        | 'url_invalid'
        | 'title_too_long'
        | 'ticket_taken'
        | 'too_many_tickets'
    }

const maxTickets = 50 // the side column shows all of them
const maxTitleChars = 200

/** Links a ticket of another tracker. Without a title, its URL is the title. */
export function linkTicket(
  context: CommandContext,
  { scope, issueId, url, title }: OnIssue & { url: string; title: string },
): Promise<LinkResult> {
  return inTransaction<LinkResult>(context, async inner => {
    const href = readWebUrl(url.trim())
    if (href === null) return { ok: false, code: 'url_invalid' }
    const name = title.replaceAll('\0', '').trim()
    if (name.length > maxTitleChars) return { ok: false, code: 'title_too_long' }
    const found = await readTarget(inner, { scope, issueIds: [issueId] })
    if (!found.ok) return found
    const [issue] = found.issues
    if (issue === undefined) return { ok: false, code: 'issue_not_found' }
    const { tickets } = await inner.db
      .selectFrom('issue_ticket')
      .select(({ fn }) => fn.countAll<number>().as('tickets'))
      .where('issue_id', '=', issue.id)
      .executeTakeFirstOrThrow()
    if (Number(tickets) >= maxTickets) return { ok: false, code: 'too_many_tickets' }
    const row = await inner.db
      .insertInto('issue_ticket')
      .values({
        issue_id: issue.id,
        project_id: issue.project_id,
        url: href,
        title: name,
        actor: inner.actor,
        at: inner.now(),
      })
      .onConflict(conflict => conflict.columns(['issue_id', 'url']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'ticket_taken' }
    await writeActivity(inner, '', [
      { issueId: issue.id, projectId: issue.project_id, kind: 'linked', detail: { url: href, title: name } },
    ])
    await writeIssueAudit(inner, 'issue.link', '', [issue])
    return { ok: true }
  })
}

type UnlinkResult = { ok: true } | { ok: false; code: 'ticket_not_found' }

/** The ticket may have been linked to an issue that was merged into this one. */
export function unlinkTicket(
  context: CommandContext,
  { scope, issueId, ticketId }: OnIssue & { ticketId: number },
): Promise<UnlinkResult> {
  return inTransaction<UnlinkResult>(context, async inner => {
    const row = await inner.db
      .deleteFrom('issue_ticket')
      .where('id', '=', ticketId)
      .where('project_id', 'in', [0, ...scope])
      .where(({ or, eb, selectFrom }) =>
        or([
          eb('issue_id', '=', issueId),
          eb('issue_id', 'in', selectFrom('issue_hash').select('home_issue_id').where('issue_id', '=', issueId)),
        ]),
      )
      .returning(['project_id', 'url', 'title'])
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'ticket_not_found' }
    const { project_id, url, title } = row
    await writeActivity(inner, '', [{ issueId, projectId: project_id, kind: 'unlinked', detail: { url, title } }])
    await writeIssueAudit(inner, 'issue.unlink', '', [{ id: issueId, project_id }])
    return { ok: true }
  })
}
