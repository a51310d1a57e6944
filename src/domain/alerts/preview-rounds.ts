/** What a rule would have had to tell in the time of a preview, by the moments in which the jobs would have met it. */
import { type Viewer, viewerAt } from '#domain/access/viewer.ts'
import type { ReadChange } from '#domain/issues/change-log/read-changes.ts'
import { alertEveryMs } from './alert-on-changes.ts'
import { pickTraces, readEventTraces } from './cascades.ts'
import { listCandidates, matchRules } from './match-changes.ts'
import { listPastChanges } from './past-changes.ts'
import { previewCounts } from './preview-counts.ts'
import { previewMetric } from './preview-metric.ts'
import { hearsOf, measuredProjects, projectsOf, type Rule } from './rule.ts'
import type { Round } from './simulate-lanes.ts'
import { type IncidentMessage, type IssueMessage, incidentSteps, isIncidentStep } from './stored-message.ts'

export type Range = { from: number; to: number }
export type PastIncident = { name: string; openedAt: number; closedAt: number | null }

/** Changes of issues. Their messages have no reason: `describeChange` gives it for those that are shown. */
export async function listChangeRounds(viewer: Viewer, rule: Rule, range: Range) {
  const changes = await listPastChanges(viewer, projectsOf(rule, viewer.projects), rule.config.when, range)
  const candidates = await listCandidates(viewer, changes, { describe: async () => '' })
  const matches = await matchRules(viewerAt(viewer, range.to), [rule], candidates)
  const changeOf = new Map(changes.map(change => [nameOf(change), change]))
  const groups: { messages: IssueMessage[]; changes: ReadChange[] }[] = []
  for (const { message } of matches) {
    const last = groups.at(-1)
    const change = changeOf.get(nameOf({ ...message, kind: kindOf(message) }))
    const begin = last?.messages[0]?.at ?? Number.NEGATIVE_INFINITY
    const group = last !== undefined && message.at - begin < alertEveryMs ? last : { messages: [], changes: [] }
    if (group !== last) groups.push(group)
    group.messages.push(message)
    if (change !== undefined) group.changes.push(change)
  }
  // A change alone has nothing in common with another.
  const together = groups.filter(({ messages }) => messages.length > 1).flatMap(group => group.changes)
  const found = await readEventTraces(viewer, together)
  const rounds = groups.map(
    (group): Round => ({
      at: group.messages.at(-1)?.at ?? 0,
      messages: group.messages,
      traces: pickTraces(group.changes, found),
    }),
  )
  return { rounds, findChange: (message: IssueMessage) => changeOf.get(nameOf({ ...message, kind: kindOf(message) })) }
}

const kindOf = ({ type }: IssueMessage): string => type.slice('issue.'.length)
const nameOf = ({ issueId, kind, at }: { issueId: number; kind: string; at: number }): string =>
  `${issueId} ${kind} ${at}`

/** What is judged by the minute: counts of issues, the rule's own metric, and incidents of others that it hears of. */
export async function listMinuteRounds(viewer: Viewer, rule: Rule, range: Range) {
  const counted = rule.config.counts.length === 0 ? [] : await previewCounts(viewer, rule, range)
  const { messages: incidents, facts, stepMs, blindMs } = await listIncidents(viewer, rule, range)
  const byMinute = Map.groupBy([...counted, ...incidents], ({ at }) => at)
  return { rounds: [...byMinute].map(([at, messages]): Round => ({ at, messages })), incidents: facts, stepMs, blindMs }
}

const minuteMs = 60_000
const maxUpdates = 2_000

/** `facts` by the ids of the messages; an incident that never was is named by the time at which it would have opened. */
async function listIncidents(viewer: Viewer, rule: Rule, range: Range) {
  const messages: IncidentMessage[] = []
  const facts = new Map<number, PastIncident>()
  const { metric, environments, when } = rule.config
  const projectIds = measuredProjects(rule, viewer.projects)
  const own = metric === null ? null : await previewMetric(viewer, { metric, projectIds, environments }, range)
  for (const { at, transition, reason, severity, openedAt } of own?.moments ?? []) {
    const projectId = projectIds.length === 1 ? (projectIds[0] ?? null) : null
    const type = `incident.${transition}` as const
    messages.push({ kind: 'incident', type, incidentId: openedAt, projectId, ruleId: null, at, severity, reason })
    facts.set(openedAt, { name: rule.name, openedAt, closedAt: transition === 'closed' ? at : null })
  }
  const { stepMs, blindMs } = own ?? { stepMs: minuteMs, blindMs: 0 }
  if (!when.includes('incident')) return { messages, facts, stepMs, blindMs }
  for (const row of await readUpdates(viewer, range)) {
    if (row.ruleId === rule.id || !hearsOf(rule, row, viewer.projects)) continue
    if (!isIncidentStep(row.kind)) continue
    const { incidentId, projectId, at, reason, name, openedAt, closedAt } = row
    const type = `incident.${row.kind}` as const
    const severity = row.kind === 'closed' ? 'info' : row.severity
    messages.push({ kind: 'incident', type, incidentId, projectId, ruleId: null, at, severity, reason })
    facts.set(incidentId, { name, openedAt, closedAt })
  }
  return { messages, facts, stepMs, blindMs }
}

async function readUpdates(viewer: Viewer, { from, to }: Range) {
  return viewer.control
    .incidentUpdates()
    .select(['incident.id as incidentId', 'incident.project_id as projectId', 'incident.rule_id as ruleId'])
    .select(['incident.name', 'incident.opened_at as openedAt', 'incident.closed_at as closedAt'])
    .select(['at', 'kind', 'incident_update.severity', 'incident_update.reason'])
    .where('kind', 'in', incidentSteps)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('incident_update.id', 'desc')
    .limit(maxUpdates)
    .execute()
}
