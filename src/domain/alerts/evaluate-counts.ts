/** Issues with many events or users: one query per window for all rules of an organization. */

import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams, eventSource } from '#domain/events/event-condition.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { timeInWords } from '#lib/time-words.ts'
import { createSearches, type Match, severityOf } from './match-changes.ts'
import { isAbove } from './preview-counts.ts'
import { type CountCondition, isAwake, projectsOf, type Rule } from './rule.ts'
import type { IssueMessage } from './stored-message.ts'

const row = z.object({
  project_id: z.coerce.number(),
  group_hash: z.string(),
  events: z.coerce.number(),
  events_before: z.coerce.number(),
  users: z.coerce.number(),
  users_before: z.coerce.number(),
})
type IssueCounts = { issueId: number; projectId: number; level: string; counts: Record<string, [number, number]> }

const dayMs = 86_400_000
const maxRows = 50_000

/** The messages of all rules with counts, for the minute that ends at `until`. */
export async function matchCounts(viewer: Viewer, rules: readonly Rule[], until: number): Promise<Match[]> {
  const counting = rules.filter(rule => rule.config.counts.length > 0 && isAwake(rule, viewer.now))
  const windows = new Set(counting.flatMap(({ config }) => config.counts.map(({ withinMs }) => withinMs)))
  const search = createSearches(viewer)
  const matches: Match[] = []
  for (const withinMs of windows) {
    const asked = counting.flatMap(rule =>
      rule.config.counts.filter(count => count.withinMs === withinMs).map(count => ({ rule, count })),
    )
    const issues = await countIssues(viewer, asked, withinMs, until)
    for (const { rule, count } of asked) {
      const projectIds = new Set(projectsOf(rule, viewer.projects))
      const above = issues.filter(issue => projectIds.has(issue.projectId) && isIssueAbove(count, issue))
      const found = await search(
        rule,
        above.map(({ issueId }) => issueId),
      )
      for (const issue of above)
        if (found.has(issue.issueId)) matches.push({ rule, message: messageOf(rule, count, issue, until) })
    }
  }
  return matches
}

function isIssueAbove(count: CountCondition, { counts }: IssueCounts): boolean {
  const [now = 0, before = 0] = counts[count.of] ?? []
  return isAbove(count, now, before)
}

function messageOf(rule: Rule, count: CountCondition, issue: IssueCounts, until: number): IssueMessage {
  const [now = 0, before = 0] = issue.counts[count.of] ?? []
  const told = formatWhole(Math.round(now))
  const window = timeInWords(count.withinMs)
  const compared = count.percentMore === null ? '' : `, ${formatWhole(Math.round(before))} in the one before`
  return {
    kind: 'issue',
    type: 'issue.frequent',
    issueId: issue.issueId,
    projectId: issue.projectId,
    ruleId: rule.id,
    at: until,
    severity: severityOf('issue.frequent', issue.level),
    reason: `${told} ${count.of} in ${window}${compared}`,
  }
}

type Asked = readonly { rule: Rule; count: CountCondition }[]

async function countIssues(viewer: Viewer, asked: Asked, withinMs: number, until: number): Promise<IssueCounts[]> {
  const scope = [...new Set(asked.flatMap(({ rule }) => projectsOf(rule, viewer.projects)))]
  const rows = await readCounts(viewer, scope, withinMs, until, asked)
  const found = await findIssues(viewer, rows)
  const byIssue = new Map<number, IssueCounts>()
  for (const each of rows) {
    const issue = found.get(`${each.project_id} ${each.group_hash}`)
    if (issue === undefined) continue
    const sums = byIssue.get(issue.issueId) ?? { ...issue, counts: { events: [0, 0], users: [0, 0] } }
    add(sums.counts.events, each.events, each.events_before)
    // Somebody may have met several of its hashes: the largest is a lower bound.
    raise(sums.counts.users, each.users, each.users_before)
    byIssue.set(issue.issueId, sums)
  }
  return [...byIssue.values()]
}

function add(sums: [number, number] | undefined, now: number, before: number): void {
  if (sums === undefined) return
  sums[0] += now
  sums[1] += before
}

function raise(most: [number, number] | undefined, now: number, before: number): void {
  if (most === undefined) return
  most[0] = Math.max(most[0], now)
  most[1] = Math.max(most[1], before)
}

/** No rule is about fewer. An issue may have several hashes, so a few less are read. */
const leastOf = (asked: Asked): number => Math.max(1, Math.min(...asked.map(({ count }) => Math.ceil(count.above / 4))))

/** By the time of receipt, because delayed events are news too. The window before and users are read only if a rule asks for them. */
function readCounts(viewer: Viewer, scope: readonly number[], withinMs: number, until: number, asked: Asked) {
  const { params, bind } = boundParams()
  const compares = asked.some(({ count }) => count.percentMore !== null)
  const readMs = compares ? 2 * withinMs : withinMs
  const isNow = compares ? `received_at >= fromUnixTimestamp64Milli(${bind(until - withinMs, 'Int64')})` : '1'
  const isBefore = compares ? `NOT (${isNow})` : '0'
  const hasUsers = asked.some(({ count }) => count.of === 'users')
  const users = (when: string): string => (hasUsers ? `uniqIf(user_hash, user_hash != 0 AND ${when})` : '0')
  const least = bind(leastOf(asked), 'UInt64')
  return viewer.telemetry.within(scope).query({
    query: `
      SELECT project_id, toString(group_hash) AS group_hash,
        sumIf(weight, ${isNow}) AS events, sumIf(weight, ${isBefore}) AS events_before,
        ${users(isNow)} AS users, ${users(isBefore)} AS users_before
      FROM ${eventSource([], readMs)}
      WHERE {scope} AND received_at >= fromUnixTimestamp64Milli(${bind(until - readMs, 'Int64')})
        AND received_at < fromUnixTimestamp64Milli(${bind(until, 'Int64')})
        AND timestamp >= fromUnixTimestamp64Milli(${bind(until - readMs - dayMs, 'Int64')})
      GROUP BY project_id, group_hash
      HAVING events >= ${least} OR users >= ${least}
      ORDER BY events DESC
      LIMIT ${bind(maxRows, 'UInt32')}`,
    params,
    schema: row,
  })
}

async function findIssues(viewer: Viewer, rows: readonly { project_id: number; group_hash: string }[]) {
  const hashes = [...new Set(rows.map(each => each.group_hash))]
  const found = new Map<string, { issueId: number; projectId: number; level: string }>()
  for (let start = 0; start < hashes.length; start += 400)
    for (const each of await viewer.control
      .issueHashes()
      .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
      .select(['issue_hash.project_id', 'group_hash', 'issue_id', 'issue.level'])
      .where('issue.status', '!=', 'archived')
      .where('group_hash', 'in', hashes.slice(start, start + 400))
      .execute())
      found.set(`${each.project_id} ${each.group_hash}`, {
        issueId: each.issue_id,
        projectId: each.project_id,
        level: each.level,
      })
  return found
}
