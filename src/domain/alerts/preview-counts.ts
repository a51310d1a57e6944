/** What the job would have said about counts in a time that has passed: each minute judged as the job judges it. */

import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { bindArray, boundParams, eventSource } from '#domain/events/event-condition.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { readArchivedTimes } from './archived-times.ts'
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
import { repeatMs } from './leave-out-repeats.ts'
import { createSearches } from './match-changes.ts'
import { listPauses, type Pause } from './pauses.ts'
import { type CountCondition, projectsOf, type Rule } from './rule.ts'
import type { IssueMessage } from './stored-message.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Those with the most events or users in a window, for each condition. */
const maxHashes = 2_000
/** Their lines are in memory together. */
const issuesAtOnce = 40

const hotRow = z.object({ project_id: z.coerce.number(), group_hash: z.string(), most: z.coerce.number() })
const lineRow = z.object({
  project_id: z.coerce.number(),
  group_hash: z.string(),
  minutes: z.array(z.coerce.number()),
  changes: z.array(z.coerce.number()),
})

/** Ends of minutes, as their numbers since 1970. */
type Minutes = { first: number; last: number }
type Previewed = Pick<Rule, 'projectId' | 'config'>

/** In the order of time, without those that the interval of the rule leaves out. */
export async function previewCounts(
  viewer: Viewer,
  rule: Previewed,
  range: { from: number; to: number },
): Promise<IssueMessage[]> {
  const minutes = { first: Math.floor(range.from / minuteMs) + 1, last: Math.floor(range.to / minuteMs) }
  const issues = await listHotIssues(viewer, rule, minutes)
  const found = await createSearches(viewer)(rule, [...issues.keys()])
  const wanted = [...issues.values()].filter(({ issue }) => found.has(issue.issueId))
  const longest = Math.max(0, ...rule.config.counts.map(({ withinMs }) => withinMs))
  const pauses = await listPauses(viewer, range.from - 2 * longest)
  const told: (Counted & { minute: number })[] = []
  for (const some of chunksOf(wanted, issuesAtOnce)) {
    const lines = await readLines(viewer, rule, some, minutes)
    const isArchivedAt = await readArchivedTimes(
      viewer,
      some.map(({ issue }) => issue),
    )
    for (const { issue, hashes } of some) {
      const own = lines.map(line => hashes.flatMap(hash => line.get(hash) ?? []))
      const isSilent = (minute: number) => isArchivedAt(issue, minute * minuteMs)
      told.push(...walk(rule, { issue, lines: own, pauses }, minutes, isSilent))
    }
  }
  return told
    .sort((a, b) => a.minute - b.minute || byCondition(a, b))
    .map(({ minute, ...counted }) => countedMessage(counted, null, minute * minuteMs))
}

/** The number in the window that ends with a minute. */
type Line = (minute: number) => number

/** A message is left out while the rule has told of the issue within its interval, so those minutes are not looked at. */
function walk(
  { config }: Previewed,
  { issue, lines, pauses }: { issue: CountedIssue; lines: readonly (readonly Line[])[]; pauses: readonly Pause[] },
  { first, last }: Minutes,
  isSilent: (minute: number) => boolean,
) {
  const told: (Counted & { minute: number })[] = []
  const pause = Math.ceil(repeatMs(config, 'issue.frequent') / minuteMs)
  for (let minute = first; minute <= last; minute++) {
    const counted = config.counts.flatMap((count, index): Counted[] => {
      const own = (lines[index] ?? []).map(line => ({ now: line(minute), before: line(minute - width(count)) }))
      const quantity = addUp(count, own)
      return isAbove(count, quantity, shareBefore(count, pauses, minute * minuteMs))
        ? [{ issue, index, count, quantity }]
        : []
    })[0]
    if (counted === undefined || isSilent(minute)) continue
    told.push({ ...counted, minute })
    minute += pause - 1
  }
  return told
}

/** Issues that can have been above a condition at some minute, with their hashes. */
async function listHotIssues(viewer: Viewer, rule: Previewed, minutes: Minutes) {
  const issues = new Map<number, { issue: CountedIssue; hashes: Set<string> }>()
  for (const count of rule.config.counts) {
    const rows = await readHotHashes(viewer, projectsOf(rule, viewer.projects), count, minutes)
    const found = await findCountedIssues(viewer, rows)
    const ofIssue = Map.groupBy(rows, row => found.get(hashName(row))?.issueId)
    for (const [issueId, own] of ofIssue) {
      const issue = own[0] && found.get(hashName(own[0]))
      const most = own.map(row => 2 * row.most)
      const atMost = count.of === 'events' ? most.reduce((sum, each) => sum + each, 0) : Math.max(...most)
      if (issueId === undefined || issue === undefined || atMost <= count.above) continue
      const known = issues.get(issueId) ?? { issue, hashes: new Set<string>() }
      for (const row of own) known.hashes.add(hashName(row))
      issues.set(issueId, known)
    }
  }
  return new Map([...issues].map(([id, { issue, hashes }]) => [id, { issue, hashes: [...hashes] }]))
}

const width = ({ withinMs }: CountCondition): number => withinMs / minuteMs
const receivedMinute = `intDiv(toUnixTimestamp64Milli(received_at), ${minuteMs})`

/** Any window lies in two neighbors of the clock, so one of them has at least half of it. */
function readHotHashes(viewer: Viewer, scope: readonly number[], count: CountCondition, minutes: Minutes) {
  const { params, bind } = boundParams()
  const { source, where } = received(count, minutes, bind)
  return viewer.telemetry.within(scope).query({
    query: `
      SELECT project_id, group_hash, max(quantity) AS most
      FROM (
        SELECT project_id, toString(group_hash) AS group_hash,
          intDiv(${receivedMinute}, ${bind(width(count), 'Int64')}) AS bucket,
          ${count.of === 'events' ? 'sum(weight)' : 'uniqIf(user_hash, user_hash != 0)'} AS quantity
        FROM ${source} WHERE ${where}
        GROUP BY project_id, group_hash, bucket
      )
      GROUP BY project_id, group_hash
      HAVING most >= ${bind(leastOf(count) / 2, 'Float64')}
      ORDER BY most DESC, group_hash LIMIT ${bind(maxHashes, 'UInt32')}`,
    params,
    schema: hotRow,
  })
}

/** For each condition, the lines of the hashes by name. */
async function readLines(
  viewer: Viewer,
  rule: Previewed,
  issues: readonly { hashes: readonly string[] }[],
  minutes: Minutes,
): Promise<Map<string, Line>[]> {
  const hashes = [...new Set(issues.flatMap(issue => issue.hashes.map(name => name.split(' ')[1] ?? '')))]
  const scope = projectsOf(rule, viewer.projects)
  return Promise.all(
    rule.config.counts.map(async count => {
      const rows = await readChanges(viewer, scope, count, minutes, hashes)
      return new Map(rows.map(each => [hashName(each), lineOf(each, minutes.first - width(count), minutes.last)]))
    }),
  )
}

function lineOf({ minutes, changes }: z.output<typeof lineRow>, first: number, last: number): Line {
  const values = new Float64Array(last - first + 1)
  for (const [index, minute] of minutes.entries()) {
    const at = Math.max(0, minute - first)
    if (at < values.length) values[at] = (values[at] ?? 0) + (changes[index] ?? 0)
  }
  for (let at = 1; at < values.length; at++) values[at] = (values[at] ?? 0) + (values[at - 1] ?? 0)
  return minute => values[minute - first] ?? 0
}

/** By how much the number of a hash changes at the end of each minute: events and users come, and leave with the window. */
function readChanges(
  viewer: Viewer,
  scope: readonly number[],
  count: CountCondition,
  minutes: Minutes,
  hashes: readonly string[],
) {
  const { params, bind } = boundParams()
  const { source, where } = received(count, minutes, bind)
  const named = `${where} AND has(${bindArray(hashes, 'String', bind)}, toString(group_hash))`
  const later = bind(width(count), 'Int64')
  const events = `
    SELECT project_id, group_hash, ${receivedMinute} AS came, came + ${later} AS last, sum(weight) AS quantity
    FROM ${source} WHERE ${named} GROUP BY project_id, group_hash, came`
  // A user who comes again is one: the earlier visit ends there.
  const users = `
    SELECT project_id, group_hash, came, toFloat64(1) AS quantity,
      least(came + ${later}, leadInFrame(came, 1, came + ${later}) OVER (
        PARTITION BY project_id, group_hash, user_hash ORDER BY came ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)) AS last
    FROM (SELECT DISTINCT project_id, group_hash, user_hash, ${receivedMinute} AS came
      FROM ${source} WHERE ${named} AND user_hash != 0)`
  return viewer.telemetry.within(scope).query({
    query: `
      SELECT project_id, toString(group_hash) AS group_hash, groupArray(minute) AS minutes, groupArray(change) AS changes
      FROM (
        SELECT project_id, group_hash, step.1 AS minute, sum(step.2) AS change
        FROM (
          SELECT project_id, group_hash, arrayJoin([(came + 1, quantity), (last + 1, -quantity)]) AS step
          FROM (${count.of === 'events' ? events : users})
        )
        GROUP BY project_id, group_hash, minute
      )
      GROUP BY project_id, group_hash`,
    params,
    schema: lineRow,
  })
}

/** Whatever is in a window of these minutes, or in the window before. */
function received(count: CountCondition, { first, last }: Minutes, bind: ReturnType<typeof boundParams>['bind']) {
  const from = (first - 2 * width(count)) * minuteMs
  const to = last * minuteMs
  return {
    source: eventSource([], to - from),
    where: `{scope} AND received_at >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})
        AND received_at < fromUnixTimestamp64Milli(${bind(to, 'Int64')})
        AND timestamp >= fromUnixTimestamp64Milli(${bind(from - dayMs, 'Int64')}) AND ${isRecent}`,
  }
}
