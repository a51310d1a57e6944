/** A rule on the last two weeks of real data: each message that it would have sent. */
import type { Viewer } from '#domain/access/viewer.ts'
import { headline } from './build-message.ts'
import { createSearches, severityOf } from './match-changes.ts'
import { type Moment, previewCounts } from './preview-counts.ts'
import { previewMetric } from './preview-metric.ts'
import { projectsOf, type RuleConfig } from './rule.ts'

const dayMs = 86_400_000
export const previewDays = 14
const collectMs = 60_000
const maxMoments = 5_000
const maxShown = 50

export type PreviewMessage = {
  at: number
  title: string
  detail: string
  severity: 'info' | 'warning' | 'critical'
  /** Null for an incident. */
  issueId: number | null
  /** How many others are collected in it. */
  others: number
}
export type RulePreview = {
  /** Newest first, at most 50. */
  messages: PreviewMessage[]
  total: number
  /** Messages by day, oldest first. */
  days: number[]
  from: number
  to: number
}

/** Filters are checked against the issues as they are now; intervals and bursts as they would have been. */
export async function previewRule(
  viewer: Viewer,
  { config, projectId, name = '' }: { config: RuleConfig; projectId: number | null; name?: string },
): Promise<RulePreview> {
  const range = { from: viewer.now - previewDays * dayMs, to: viewer.now }
  const scope = projectsOf({ projectId, config }, viewer.projects)
  const moments = [
    ...(await listMoments(viewer, scope, config.when, range)),
    ...(await previewCounts(viewer, scope, config.counts, range)),
  ].sort((a, b) => a.at - b.at)
  const search = createSearches(viewer)
  const found = await search(
    { config },
    moments.map(({ issueId }) => issueId),
  )
  const issues = await readIssues(viewer, [...found])
  const told = leaveOutRepeats(
    moments.filter(({ issueId }) => issues.has(issueId)),
    config.atMostEveryMs,
  )
  const { metric, environments } = config
  const incidents =
    metric === null ? [] : await previewMetric(viewer, { metric, projectIds: scope, environments }, name, range)
  const messages: PreviewMessage[] = collect(told).map(({ at, issueId, type, detail, others }) => {
    const { title = '', level = '' } = issues.get(issueId) ?? {}
    return { at, issueId, others, detail, title: headline(type, title), severity: severityOf(type, level) }
  })
  for (const incident of incidents) messages.push({ ...incident, issueId: null, others: 0 })
  messages.sort((a, b) => a.at - b.at)
  const days = Array.from({ length: previewDays }, () => 0)
  for (const { at } of messages) {
    const day = Math.min(previewDays - 1, Math.max(0, Math.floor((at - range.from) / dayMs)))
    days[day] = (days[day] ?? 0) + 1
  }
  return { messages: messages.toReversed().slice(0, maxShown), total: messages.length, days, ...range }
}

const kinds = { regression: 'regressed', escalation: 'escalating', resolved: 'resolved' } as const
const types = {
  regressed: 'issue.regressed',
  escalating: 'issue.escalating',
  resolved: 'issue.resolved',
} as const
const words = {
  regressed: 'seen again after it was resolved',
  escalating: 'more events than usual',
  resolved: 'resolved',
}

async function listMoments(
  viewer: Viewer,
  scope: readonly number[],
  when: RuleConfig['when'],
  { from, to }: { from: number; to: number },
): Promise<Moment[]> {
  const control = viewer.control.within(scope)
  const moments: Moment[] = []
  if (when.includes('new-issue')) {
    const rows = await control
      .issueHashes()
      .select(({ fn }) => ['issue_id', fn.min<number>('first_seen').as('at'), fn.min('first_release').as('release')])
      .groupBy('issue_id')
      .having(({ and, eb, fn }) => and([eb(fn.min('first_seen'), '>=', from), eb(fn.min('first_seen'), '<=', to)]))
      .orderBy('at', 'desc')
      .limit(maxMoments)
      .execute()
    for (const row of rows)
      moments.push({
        at: row.at,
        issueId: row.issue_id,
        type: 'issue.new',
        detail: row.release ? `first seen in ${row.release}` : 'seen for the first time',
      })
  }
  const wanted = (Object.keys(kinds) as (keyof typeof kinds)[])
    .filter(each => when.includes(each))
    .map(each => kinds[each])
  if (wanted.length === 0) return moments
  const rows = await control
    .issueActivity()
    .select(['issue_id', 'at', 'kind', 'release'])
    .where('kind', 'in', wanted)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at', 'desc')
    .limit(maxMoments)
    .execute()
  for (const row of rows) {
    const kind = row.kind as keyof typeof types // by the condition above
    const detail = row.release ? `${words[kind]}, in ${row.release}` : words[kind]
    moments.push({ at: row.at, issueId: row.issue_id, type: types[kind], detail })
  }
  return moments
}

async function readIssues(viewer: Viewer, ids: readonly number[]) {
  const issues = new Map<number, { title: string; level: string }>()
  for (let start = 0; start < ids.length; start += 400)
    for (const row of await viewer.control
      .issues()
      .select(['id', 'title', 'level'])
      .where('issue.id', 'in', ids.slice(start, start + 400))
      .execute())
      issues.set(row.id, row)
  return issues
}

function leaveOutRepeats(moments: readonly Moment[], intervalMs: number): Moment[] {
  const last = new Map<string, number>()
  return moments.filter(({ at, issueId, type }) => {
    const key = `${issueId} ${type}`
    const before = last.get(key)
    if (before !== undefined && before > at - intervalMs) return false
    last.set(key, at)
    return true
  })
}

/** The first of a burst at once, and what follows within a minute as one. */
function collect(moments: readonly Moment[]): (Moment & { others: number })[] {
  const messages: (Moment & { others: number })[] = []
  let until = Number.NEGATIVE_INFINITY
  let summary: (Moment & { others: number }) | null = null
  for (const moment of moments) {
    if (moment.at >= until) {
      messages.push({ ...moment, others: 0 })
      until = moment.at + collectMs
      summary = null
    } else if (summary === null) {
      summary = { ...moment, at: until, others: 0 }
      messages.push(summary)
      until += collectMs
    } else summary.others += 1
  }
  return messages
}
