/** Which rules the changes of issues match. Filters run as searches of the issue list, so a rule means what the list shows. */

import type { Viewer } from '#domain/access/viewer.ts'
import type { ReadChange } from '#domain/issues/change-log/read-changes.ts'
import { listMatchingIds } from '#domain/issues/list-issues.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { overflowKind } from '#lib/event-kind.ts'
import { parseSearch } from '#search/parse-search.ts'
import { fieldTerm, type SearchTerm } from '#search/search-term.ts'
import { findDeploys } from './cascades.ts'
import { describeChange } from './describe-change.ts'
import { newsForMs } from './late-news.ts'
import { type IssueTrigger, isAwake, projectsOf, type Rule } from './rule.ts'
import type { IssueMessage, IssueMessageType } from './stored-message.ts'

type Kind = { trigger: IssueTrigger; type: IssueMessageType }

const kinds: Readonly<Record<string, Kind>> = {
  new: { trigger: 'new-issue', type: 'issue.new' },
  regressed: { trigger: 'regression', type: 'issue.regressed' },
  escalating: { trigger: 'escalation', type: 'issue.escalating' },
  resolved: { trigger: 'resolved', type: 'issue.resolved' },
}

export type Candidate = { message: IssueMessage; trigger: IssueTrigger }
export type Match = { rule: Rule; message: IssueMessage }

type IssueFacts = {
  id: number
  number: number
  level: string
  kind: string
  projectSlug: string
  lastSeen: number
}

type Judging = {
  /** Now without the leap of a clock that is ahead: all issues of those minutes would be no news. */
  trustedMs?: number
  describe?: typeof describeChange
  /** Gets the changes that are no news because all events of the issue are old. */
  late?: ReadChange[]
}

/** The changes that could be told about: with their reason, in the order of the log. A preview looks back, and describes only what it shows. */
export async function listCandidates(
  viewer: Viewer,
  changes: readonly ReadChange[],
  { trustedMs = Number.POSITIVE_INFINITY, describe = describeChange, late }: Judging = {},
): Promise<Candidate[]> {
  const told = changes.filter(({ kind }) => Object.hasOwn(kinds, kind))
  const facts = await readFacts(
    viewer,
    told.map(({ issueId }) => issueId),
  )
  const deployOf = await findDeploys(viewer, told)
  const candidates: Candidate[] = []
  for (const change of told) {
    const kind = kinds[change.kind]
    const issue = facts.get(change.issueId)
    if (kind === undefined || issue === undefined) continue
    // By its newest event: the first one may come from a phone that was offline for days.
    if (change.kind === 'new' && issue.lastSeen < Math.min(change.at, trustedMs) - newsForMs) {
      late?.push(change)
      continue
    }
    // Of a flood, this one says that there are more than the list shows.
    const isOverflow = issue.kind === overflowKind && change.kind === 'new'
    candidates.push({
      trigger: kind.trigger,
      message: {
        kind: 'issue',
        type: kind.type,
        issueId: change.issueId,
        projectId: change.projectId,
        ruleId: null,
        at: change.at,
        severity: isOverflow ? 'critical' : severityOf(kind.type, issue.level),
        reason: isOverflow ? overflowReason : await describe(viewer, change),
        ...(change.kind === 'resolved' ? {} : { deploy: deployOf(change) }),
      },
    })
  }
  return candidates
}

const overflowReason = 'the limit of new issues within ten minutes is reached, so this issue counts further ones'

export function severityOf(type: IssueMessageType, level: string): IssueMessage['severity'] {
  if (type === 'issue.resolved' || type === 'issue.assigned') return 'info'
  if (level === 'fatal' || type === 'issue.escalating') return 'critical'
  return level === 'error' ? 'warning' : 'info'
}

/** Every rule with every candidate that it matches, in the order of the candidates. */
export async function matchRules(
  viewer: Viewer,
  rules: readonly Rule[],
  candidates: readonly Candidate[],
): Promise<Match[]> {
  const search = createSearches(viewer)
  const matches: Match[] = []
  for (const rule of rules) {
    if (!isAwake(rule, viewer.now)) continue
    const projectIds = new Set(projectsOf(rule, viewer.projects))
    const wanted = candidates.filter(
      ({ trigger, message }) => projectIds.has(message.projectId) && rule.config.when.includes(trigger),
    )
    if (wanted.length === 0) continue
    const found = await search(
      rule,
      wanted.map(({ message }) => message.issueId),
    )
    for (const { message } of wanted)
      if (found.has(message.issueId)) matches.push({ rule, message: { ...message, ruleId: rule.id } })
  }
  return matches.sort((a, b) => a.message.at - b.message.at)
}

/** The part of an issue list in which an issue that just changed is found. Shorter than a day, which control answers alone. */
const recentMs = 6 * 3_600_000
const maxNamed = 100

/** Runs each distinct filter once per set of issues, however many rules share it. */
export function createSearches(
  viewer: Viewer,
): (rule: Pick<Rule, 'config'>, issueIds: readonly number[]) => Promise<Set<number>> {
  const known = new Map<string, Promise<Set<number>>>()
  const factsOf = new Map<string, ReturnType<typeof readFacts>>()
  return (rule, issueIds) => {
    const { filter, environments } = rule.config
    const ids = [...new Set(issueIds)].sort((a, b) => a - b)
    if (filter.trim() === '' && environments.length === 0) return Promise.resolve(new Set(ids))
    const facts = factsOf.get(ids.join()) ?? readFacts(viewer, ids)
    factsOf.set(ids.join(), facts)
    const key = JSON.stringify([filter, environments, ids])
    const found = known.get(key) ?? facts.then(read => searchIssues(viewer, rule, [...read.values()]))
    known.set(key, found)
    return found
  }
}

/** A filter that cannot be read matches nothing; the editor refuses such a filter, so its language has changed since. */
async function searchIssues(
  viewer: Viewer,
  { config }: Pick<Rule, 'config'>,
  facts: readonly IssueFacts[],
): Promise<Set<number>> {
  const parsed = parseSearch(config.filter)
  if (!parsed.ok) return new Set()
  const terms: SearchTerm[] = [...parsed.terms]
  if (config.environments.length > 0) terms.push(fieldTerm('environment', config.environments))
  const found = new Set<number>()
  for (const named of chunksOf(facts, maxNamed)) {
    const names = named.map(({ projectSlug, number }) => `${projectSlug.toUpperCase()}-${number}`)
    // A resolved issue may have no recent events.
    const since = Math.min(...named.map(({ lastSeen }) => lastSeen))
    const rangeMs = Math.max(recentMs, viewer.now - since + 60_000)
    const ids = await listMatchingIds(
      viewer,
      {
        terms: [...terms, fieldTerm('issue', names)],
        among: named.map(({ id }) => id),
        rangeMs,
        to: viewer.now + 60_000,
        sort: 'lastSeen',
      },
      maxNamed,
    )
    for (const id of ids) found.add(id)
  }
  return found
}

async function readFacts(viewer: Viewer, ids: readonly number[]) {
  const facts = new Map<number, IssueFacts>()
  for (const chunk of chunksOf(ids))
    for (const row of await viewer.control
      .issues()
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .innerJoin('project', 'project.id', 'issue.project_id')
      .select(({ fn }) => [
        'issue.id',
        'issue.number',
        'issue.level',
        'issue.kind',
        'project.slug as projectSlug',
        fn.max<number>('issue_hash.last_seen').as('lastSeen'),
      ])
      .where('issue.id', 'in', chunk)
      .groupBy(['issue.id', 'project.slug'])
      .execute())
      facts.set(row.id, row)
  return facts
}
