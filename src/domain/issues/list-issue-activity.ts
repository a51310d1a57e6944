import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { eventScope, eventScopeParams } from '#domain/events/event-scope.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import type { Issue } from './find-issue.ts'

const maxEntries = 100

/** `before`: only entries that come after it in the list. */
type Part = { kind?: string; id?: number; limit?: number; before?: { at: number; id: number } | undefined }

/** The activity of an issue, newest first, with the names of the actors: all kinds, or a part of it. */
export async function listIssueActivity(
  viewer: Viewer,
  issue: Issue,
  { kind, id, limit = maxEntries, before }: Part = {},
) {
  const rows = await viewer.control
    .within([issue.projectId])
    .issueActivity()
    // `||` instead of concat(): every version of SQLite has it.
    .leftJoin('user', join => join.on(sql<SqlBool>`issue_activity.actor = 'user:' || "user".id`))
    .select(['issue_activity.id', 'at', 'actor', 'kind', 'detail', 'user.name as userName'])
    .where('issue_id', '=', issue.id)
    .$if(kind !== undefined, query => query.where('kind', '=', kind ?? ''))
    .$if(id !== undefined, query => query.where('issue_activity.id', '=', id ?? 0))
    .$if(before !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'issue_activity.id'), '<', tuple(before?.at ?? 0, before?.id ?? 0)),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('issue_activity.id', 'desc')
    .limit(limit)
    .execute()
  const tokenIds = rows.flatMap(({ actor }) =>
    actor.startsWith('token:') ? [Number(actor.slice('token:'.length))] : [],
  )
  const tokens = await viewer.control
    .authTokens()
    .select(['id', 'name'])
    .where('id', 'in', [0, ...new Set(tokenIds)])
    .execute()
  const names = new Map(tokens.map(({ id, name }) => [`token:${id}`, `API token “${name}”`]))
  return rows.map(({ userName, ...row }) => ({ ...row, actorName: userName ?? names.get(row.actor) ?? '' }))
}
export type ActivityEntry = Awaited<ReturnType<typeof listIssueActivity>>[number]

const row = z.object({
  id: z.string(),
  event_id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  at: z.coerce.number(),
})
const hex = (column: string) => `replaceAll(toString(${column}), '-', '')`
const dayMs = 86_400_000 // clocks differ: feedback may seem older than its event
const newestEvents = 10_000 // feedback is searched for these only

/** User feedback about the newest events of an issue, newest first. That of a deleted issue of its own is gone. */
export async function listIssueFeedback(
  viewer: Viewer,
  issue: Issue,
  { limit, after }: { limit: number; after?: { at: number; id: string } | undefined },
) {
  const rows = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT ${hex('feedback_id')} AS id, ${hex('associated_event_id')} AS event_id, contact_name AS name,
        contact_email AS email, message, toUnixTimestamp64Milli(timestamp) AS at
      FROM feedback
      WHERE {scope}
        AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        AND feedback_id GLOBAL IN (
          SELECT event_id FROM events WHERE {scope} AND kind = '${feedbackKind}' AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        )
        AND associated_event_id GLOBAL IN (
          SELECT event_id FROM events WHERE ${eventScope} ORDER BY events.timestamp DESC LIMIT {newest:UInt32}
        )
        ${after ? 'AND (at < {after:Int64} OR (at = {after:Int64} AND feedback_id > toUUIDOrZero({afterId:String})))' : ''}
      ORDER BY at DESC, feedback_id
      LIMIT {limit:UInt32}`,
    params: {
      ...eventScopeParams(issue),
      ...{ since: issue.firstSeen - dayMs, newest: newestEvents, limit },
      ...(after ? { after: after.at, afterId: after.id } : {}),
    },
    schema: row,
  })
  return rows.map(({ event_id, ...found }) => ({ ...found, eventId: event_id }))
}

export const maxGroups = 100

/** The groups of an issue, largest first, each with the issue it was merged from. */
export async function listIssueGroups(viewer: Viewer, issue: Issue) {
  const rows = await viewer.control
    .within([issue.projectId])
    .issueHashes()
    .leftJoin('issue as home', 'home.id', 'issue_hash.home_issue_id')
    .select([
      'issue_hash.group_version as version',
      'issue_hash.group_hash as hash',
      'issue_hash.event_count as eventCount',
      'issue_hash.last_seen as lastSeen',
      'home.number as homeNumber',
      'home.title as homeTitle',
    ])
    .where('issue_hash.issue_id', '=', issue.id)
    .orderBy('issue_hash.event_count', 'desc')
    .orderBy('issue_hash.group_hash')
    .limit(maxGroups)
    .execute()
  return rows.map(({ homeNumber, homeTitle, ...row }) => ({
    ...row,
    home:
      homeNumber === null
        ? null
        : { shortId: `${issue.projectSlug.toUpperCase()}-${homeNumber}`, title: homeTitle ?? '' },
  }))
}

const maxOfChange = 100 // a list shows fewer

/** Some of the issues that a change was about, by the token that undoes it. */
export async function listIssuesOfChange(viewer: Viewer, changeId: string): Promise<number[]> {
  if (changeId === '') return []
  const rows = await viewer.control
    .issueActivity()
    .select('issue_id')
    .distinct()
    .where('change_id', '=', changeId)
    .limit(maxOfChange)
    .execute()
  return rows.map(row => row.issue_id)
}
