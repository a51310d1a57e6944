/** A rule on the last two weeks of real data: each message that it would have sent. */
import type { Viewer } from '#domain/access/viewer.ts'
import { headline, incidentHeadline } from './build-message.ts'
import { collectMs } from './collect.ts'
import { createSearches, severityOf } from './match-changes.ts'
import { type Moment, previewCounts } from './preview-counts.ts'
import { previewMetric } from './preview-metric.ts'
import { projectsOf, type RuleConfig } from './rule.ts'
import { type IssueMessage, type StoredMessage, summarize } from './stored-message.ts'

const dayMs = 86_400_000
export const previewDays = 14
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
  /** As it would be stored, for drawing it. Of an incident that never was, also when it would have been. */
  stored: StoredMessage
  incident: { openedAt: number; closedAt: number | null } | null
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
  const messages = [
    ...(await previewIssues(viewer, scope, config, range)),
    ...(await previewIncidents(viewer, scope, config, name, range)),
  ].sort((a, b) => a.at - b.at)
  const days = Array.from({ length: previewDays }, () => 0)
  for (const { at } of messages) {
    const day = Math.min(previewDays - 1, Math.max(0, Math.floor((at - range.from) / dayMs)))
    days[day] = (days[day] ?? 0) + 1
  }
  return { messages: messages.toReversed().slice(0, maxShown), total: messages.length, days, ...range }
}

type Range = { from: number; to: number }

async function previewIssues(
  viewer: Viewer,
  scope: readonly number[],
  config: RuleConfig,
  range: Range,
): Promise<PreviewMessage[]> {
  const moments = [
    ...(await listMoments(viewer, scope, config.when, range)),
    ...(await previewCounts(viewer, scope, config.counts, range)),
  ].sort((a, b) => a.at - b.at)
  const found = await createSearches(viewer)(
    { config },
    moments.map(({ issueId }) => issueId),
  )
  const issues = await readIssues(viewer, [...found])
  const told = leaveOutRepeats(
    moments.filter(({ issueId }) => issues.has(issueId)),
    config.atMostEveryMs,
  )
  const storedOf = ({ at, issueId, type, detail: reason }: Moment): IssueMessage => {
    const { level = '', projectId = 0 } = issues.get(issueId) ?? {}
    return { kind: 'issue', type, issueId, projectId, ruleId: null, at, severity: severityOf(type, level), reason }
  }
  return collect(told).flatMap(({ at, moments: collected }) => {
    const all = collected.map(storedOf)
    const [first] = all
    if (first === undefined) return []
    const stored = all.length === 1 ? { ...first, at } : summarize(all, at)
    const { issueId, reason: detail, type } = first
    const title = headline(type, issues.get(issueId)?.title ?? '')
    return [{ at, issueId, detail, title, severity: stored.severity, others: all.length - 1, stored, incident: null }]
  })
}

async function previewIncidents(
  viewer: Viewer,
  projectIds: readonly number[],
  { metric, environments }: RuleConfig,
  name: string,
  range: Range,
): Promise<PreviewMessage[]> {
  if (metric === null) return []
  const moments = await previewMetric(viewer, { metric, projectIds, environments }, range)
  return moments.map(({ at, transition, reason, severity, openedAt }) => {
    const type = `incident.${transition}` as const
    return {
      ...{ at, severity, detail: reason, title: incidentHeadline(type, name), issueId: null, others: 0 },
      stored: {
        ...{ kind: 'incident', type, incidentId: openedAt, ruleId: null, at, severity, reason },
        projectId: projectIds.length === 1 ? (projectIds[0] ?? null) : null,
      },
      incident: { openedAt, closedAt: transition === 'closed' ? at : null },
    }
  })
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
  const issues = new Map<number, { title: string; level: string; projectId: number }>()
  for (let start = 0; start < ids.length; start += 400)
    for (const row of await viewer.control
      .issues()
      .select(['id', 'title', 'level', 'issue.project_id as projectId'])
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
function collect(moments: readonly Moment[]): { at: number; moments: Moment[] }[] {
  const messages: { at: number; moments: Moment[] }[] = []
  let until = Number.NEGATIVE_INFINITY
  let summary: Moment[] | null = null
  for (const moment of moments) {
    if (moment.at >= until) {
      messages.push({ at: moment.at, moments: [moment] })
      until = moment.at + collectMs
      summary = null
    } else if (summary === null) {
      summary = [moment]
      messages.push({ at: until, moments: summary })
      until += collectMs
    } else summary.push(moment)
  }
  return messages
}
