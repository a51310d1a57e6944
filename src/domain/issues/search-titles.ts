import { sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import { containsPattern } from '#domain/events/event-condition.ts'
import { countUsersIn } from '#lib/user-sketch.ts'
import type { ScopedControl } from '#store/control/scoped-control.ts'
import { dayOf } from './counters/counted-event.ts'
import { hashPeriods } from './counters/hash-periods.ts'
import { textColumns } from './list/issue-fields.ts'

const maxWords = 8
/** Counting the users of an issue reads a sketch for each day, so it is done for those that can have the most. */
const candidatesPerResult = 5
const daysOfUsers = 7

/**
 * Issues whose title or culprit has every word. A title with the text as it was typed comes first, then one with every word, then a
 * match in the culprit; among equals, more users in the last seven days. Those that were merged away have no hashes left.
 */
export async function searchIssueTitles(viewer: Viewer, text: string, limit: number) {
  const words = text.split(/\s+/).filter(Boolean).slice(0, maxWords)
  if (words.length === 0) return []
  const { control } = viewer
  const has = (column: (typeof textColumns)[number], part: string) =>
    control.isLike(`issue.${column}`, containsPattern({ parts: [part] }))
  const inTitle = (part: string) => has('title', part)
  const hasWords = words.length > 1 ? sql` when ${sql.join(words.map(inTitle), sql` and `)} then 1` : sql``
  const candidates = await control
    .issueHashes()
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .where(({ and, or }) => and(words.map(word => or(textColumns.map(column => has(column, word))))))
    .select('issue.id')
    .select(sql<number>`case when ${inTitle(words.join(' '))} then 2${hasWords} else 0 end`.as('title_match'))
    // No fewer than those of the last seven days.
    .select(({ fn }) => fn.sum<number>('issue_hash.user_count').as('all_users'))
    .groupBy('issue.id')
    .orderBy('title_match', 'desc')
    .orderBy('all_users', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(limit * candidatesPerResult)
    .execute()
  const ids = candidates.map(({ id }) => id)
  if (ids.length === 0) return []
  const [issues, users] = await Promise.all([readIssues(control, ids), countWeekUsers(control, ids, viewer.now)])
  const matchOf = new Map(candidates.map(({ id, title_match }) => [id, title_match]))
  return issues
    .map(({ number, slug, ...issue }) => ({
      ...issue,
      shortId: `${slug.toUpperCase()}-${number}`,
      titleMatch: matchOf.get(issue.id) ?? 0,
      users: users.get(issue.id) ?? 0,
    }))
    .sort((a, b) => b.titleMatch - a.titleMatch || b.users - a.users || b.id - a.id)
    .slice(0, limit)
}

const readIssues = (control: ScopedControl, ids: number[]) =>
  control
    .issues()
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.number', 'issue.title', 'issue.culprit', 'issue.status', 'project.slug'])
    .where('issue.id', 'in', ids)
    .execute()

async function countWeekUsers(control: ScopedControl, ids: number[], now: number): Promise<Map<number, number>> {
  const days = { table: 'hash_day', column: 'day', since: dayOf(now) - daysOfUsers + 1, until: dayOf(now) } as const
  const rows = await hashPeriods(control, days)
    .select(['issue_hash.issue_id', 'periods.user_sketch'])
    .where('issue_hash.issue_id', 'in', ids)
    .execute()
  const byIssue = Map.groupBy(rows, row => row.issue_id)
  return new Map(
    [...byIssue].map(([id, own]) => [id, countUsersIn(own.flatMap(({ user_sketch: sketch }) => sketch ?? []))]),
  )
}
