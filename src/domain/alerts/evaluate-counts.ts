/** Issues with many events or users: one query per window for all rules of an organization. */

import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams, eventSource } from '#domain/events/event-condition.ts'
import {
  addUp,
  byCondition,
  type Counted,
  type CountedIssue,
  countedMessage,
  findCountedIssues,
  hashName,
  isAbove,
  isRecent,
  leastOf,
  shareBefore,
} from './counted.ts'
import { createSearches, type Match } from './match-changes.ts'
import type { Pause } from './pauses.ts'
import { type CountCondition, isAwake, projectsOf, type Rule } from './rule.ts'

const row = z.object({
  project_id: z.coerce.number(),
  group_hash: z.string(),
  events: z.coerce.number(),
  events_before: z.coerce.number(),
  users: z.coerce.number(),
  users_before: z.coerce.number(),
})
type Row = z.output<typeof row>

const dayMs = 86_400_000
const maxRows = 50_000

/** The messages of all rules with counts, for the minute that ends at `until`. */
export async function matchCounts(
  viewer: Viewer,
  rules: readonly Rule[],
  until: number,
  pauses: readonly Pause[],
): Promise<Match[]> {
  const counting = rules.filter(rule => rule.config.counts.length > 0 && isAwake(rule, viewer.now))
  const asked = counting.flatMap(rule =>
    rule.config.counts.map((count, index) => ({ rule, count, index, since: countedSince(rule, count, until) })),
  )
  const search = createSearches(viewer)
  const foundBy = new Map<Rule, Counted[]>()
  for (const together of Map.groupBy(asked, ({ count, since }) => `${count.withinMs} ${since}`).values()) {
    const issues = await countIssues(viewer, together, until)
    for (const { rule, count, index } of together) {
      const projectIds = new Set(projectsOf(rule, viewer.projects))
      const share = shareBefore(count, pauses, until)
      const above = issues
        .filter(({ issue }) => projectIds.has(issue.projectId))
        .map(({ issue, hashes }) => ({ issue, index, count, quantity: addUp(count, hashes.map(quantityOf(count))) }))
        .filter(({ quantity }) => isAbove(count, quantity, share))
      const found = await search(
        rule,
        above.map(({ issue }) => issue.issueId),
      )
      const matching = above.filter(({ issue }) => found.has(issue.issueId))
      foundBy.set(rule, [...(foundBy.get(rule) ?? []), ...matching])
    }
  }
  return [...foundBy].flatMap(([rule, found]) =>
    found.sort(byCondition).map(counted => ({ rule, message: countedMessage(counted, rule.id, until) })),
  )
}

const quantityOf =
  ({ of }: CountCondition) =>
  ({ events, events_before, users, users_before }: Row) =>
    of === 'events' ? { now: events, before: events_before } : { now: users, before: users_before }

/** Of one window. `since`: when it begins. */
type Asked = readonly { rule: Rule; count: CountCondition; since: number }[]

/** A rule counts nothing from before it was created. By the second, because the rules of a file are created together. */
const countedSince = ({ createdAt }: Rule, { withinMs }: CountCondition, until: number): number =>
  Math.max(until - withinMs, Math.floor(createdAt / 1_000) * 1_000)

async function countIssues(viewer: Viewer, asked: Asked, until: number) {
  const scope = [...new Set(asked.flatMap(({ rule }) => projectsOf(rule, viewer.projects)))]
  const rows = await readCounts(viewer, scope, until, asked)
  const found = await findCountedIssues(viewer, rows)
  const byIssue = new Map<number, { issue: CountedIssue; hashes: Row[] }>()
  for (const each of rows) {
    const issue = found.get(hashName(each))
    if (issue === undefined || issue.isArchived) continue
    const known = byIssue.get(issue.issueId) ?? { issue, hashes: [] }
    known.hashes.push(each)
    byIssue.set(issue.issueId, known)
  }
  return [...byIssue.values()]
}

/** The window before and users are read only if a rule asks for them. */
function readCounts(viewer: Viewer, scope: readonly number[], until: number, asked: Asked) {
  const { params, bind } = boundParams()
  const [{ since, count } = { since: until, count: { withinMs: 0 } }] = asked
  const begin = until - count.withinMs
  const compares = asked.some(({ count }) => count.percentMore !== null)
  const from = compares ? begin - count.withinMs : since
  const isNow = compares ? `received_at >= fromUnixTimestamp64Milli(${bind(since, 'Int64')})` : '1'
  const isBefore = compares ? `received_at < fromUnixTimestamp64Milli(${bind(begin, 'Int64')})` : '0'
  const hasUsers = asked.some(({ count }) => count.of === 'users')
  const users = (when: string): string => (hasUsers ? `uniqIf(user_hash, user_hash != 0 AND ${when})` : '0')
  // No rule is about fewer.
  const least = bind(Math.min(...asked.map(({ count }) => leastOf(count))), 'UInt64')
  return viewer.telemetry.within(scope).query({
    query: `
      SELECT project_id, toString(group_hash) AS group_hash,
        sumIf(weight, ${isNow}) AS events, sumIf(weight, ${isBefore}) AS events_before,
        ${users(isNow)} AS users, ${users(isBefore)} AS users_before
      FROM ${eventSource([], until - from)}
      WHERE {scope} AND received_at >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})
        AND received_at < fromUnixTimestamp64Milli(${bind(until, 'Int64')})
        AND timestamp >= fromUnixTimestamp64Milli(${bind(from - dayMs, 'Int64')}) AND ${isRecent}
      GROUP BY project_id, group_hash
      HAVING events >= ${least} OR users >= ${least}
      ORDER BY events DESC
      LIMIT ${bind(maxRows, 'UInt32')}`,
    params,
    schema: row,
  })
}
