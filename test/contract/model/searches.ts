/**
 * Random searches of issues with AND, OR, NOT and lists, against what the model knows: an issue is listed if one of its events in the
 * time range matches. A term about a measure counts the events that match the terms beside it.
 */
import type { Viewer } from '#domain/access/viewer.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Control } from '#store/control/control.ts'
import type { Random } from '../../fuzz/random.ts'
import { dayMs, type ModelEvent } from './generate.ts'

type IssueState = {
  id: number
  projectId: number
  status: string
  level: string
  title: string
  firstSeen: number
  firstRelease: string
}
type Measures = { events: number; users: number; lastSeen: number }
type Seen = { event: ModelEvent; issue: IssueState; measures: Measures }
/** `isMeasure` if it depends on the measures of the issue. */
type Clause = {
  text: string
  isMeasure: boolean
  holds: (seen: Seen) => boolean
  group?: { members: Clause[]; isOr: boolean; isNegated: boolean }
}

type World = { control: Control; viewer: Viewer; random: Random; now: number; rounds: number }

export async function compareSearches(
  { control, viewer, random, now, rounds }: World,
  ownOf: ReadonlyMap<number, readonly ModelEvent[]>,
): Promise<{ differences: string[]; found: number; compared: number }> {
  const rows = await control.db
    .selectFrom('issue')
    .select(['id', 'project_id as projectId', 'status', 'level', 'title'])
    .where('id', 'in', [...ownOf.keys()])
    .execute()
  const issues = rows.map(row => {
    const [first] = (ownOf.get(row.id) ?? []).toSorted((a, b) => a.at - b.at)
    return { ...row, firstSeen: first?.at ?? 0, firstRelease: first?.release ?? '' }
  })
  const leaves = leavesOf(viewer, now, issues)
  const differences: string[] = []
  let found = 0
  let compared = 0
  for (let round = 0; round < rounds; round++) {
    const clauses = Array.from({ length: 1 + random.int(3) }, () => grow(random, leaves, 2))
    const rangeMs = random.pick([dayMs, 7 * dayMs, 30 * dayMs])
    const query = clauses.map(({ text }) => text).join(random.chance(0.5) ? ' ' : ' AND ')
    const parsed = parseSearch(query)
    // More terms beside a count than the language allows.
    if (!parsed.ok) continue
    compared += 1
    const sort = random.pick(['lastSeen', 'users'] as const)
    const page = await listIssues(viewer, { terms: parsed.terms, rangeMs, sort, limit: 100 })
    const shown = page.issues.map(({ id, events, users }) => `${id}: ${events} of ${users}`).sort()
    const all = clauses.flatMap(conjuncts)
    const truth = issues.flatMap(issue => {
      const counted = match(issue, ownOf.get(issue.id) ?? [], all, now - rangeMs)
      return counted ? [`${issue.id}: ${counted.events} of ${counted.users}`] : []
    })
    found += truth.length
    if (JSON.stringify(shown) !== JSON.stringify(truth.sort()))
      differences.push(`${query} (${rangeMs / dayMs} d by ${sort}): ${shown.join(', ')} instead of ${truth.join(', ')}`)
  }
  return { differences, found, compared }
}

function match(issue: IssueState, own: readonly ModelEvent[], clauses: readonly Clause[], from: number) {
  const unmeasured: Measures = { events: 0, users: 0, lastSeen: 0 }
  const matching = own.filter(
    event =>
      event.at >= from &&
      clauses.every(clause => clause.isMeasure || clause.holds({ event, issue, measures: unmeasured })),
  )
  const measures = {
    events: matching.length,
    users: new Set(matching.map(({ user }) => user)).size,
    lastSeen: Math.max(...matching.map(({ at }) => at)),
  }
  const isListed = matching.some(event => clauses.every(clause => clause.holds({ event, issue, measures })))
  return isListed ? measures : null
}

/** A term, or some of them in parentheses. */
function grow(random: Random, leaves: readonly Clause[], depth: number): Clause {
  const isNegated = random.chance(0.25)
  if (depth === 0 || random.chance(0.35)) {
    const leaf = random.pick(leaves)
    return isNegated ? negate(leaf) : leaf
  }
  const members = Array.from({ length: 2 + random.int(2) }, () => grow(random, leaves, depth - 1))
  return joined({ members, isOr: random.chance(0.6), isNegated })
}

function joined(group: NonNullable<Clause['group']>): Clause {
  const { members, isOr, isNegated } = group
  const holds = (seen: Seen) =>
    (isOr ? members.some(each => each.holds(seen)) : members.every(each => each.holds(seen))) !== isNegated
  const text = `${isNegated ? '!' : ''}(${members.map(each => each.text).join(isOr ? ' OR ' : ' ')})`
  return { text, holds, isMeasure: members.some(({ isMeasure }) => isMeasure), group }
}

const negate = (clause: Clause): Clause =>
  clause.group
    ? joined({ ...clause.group, isNegated: !clause.group.isNegated })
    : { ...clause, text: `!${clause.text}`, holds: seen => !clause.holds(seen) }

/** What must hold together, however it is written: neither a nor b is not a and not b. */
function conjuncts(clause: Clause): Clause[] {
  const { group } = clause
  if (!group || group.isOr !== group.isNegated) return [clause]
  return group.members.flatMap(each => conjuncts(group.isNegated ? negate(each) : each))
}

function leavesOf(viewer: Viewer, now: number, issues: readonly IssueState[]): Clause[] {
  const day = new Date(now - 4 * dayMs).toISOString().slice(0, 10)
  const [project] = viewer.projects
  const title = issues[0]?.title.split(':')[0] ?? ''
  const ofEvent = (text: string, holds: (event: ModelEvent) => boolean): Clause => ({
    text,
    isMeasure: false,
    holds: ({ event }) => holds(event),
  })
  const ofIssue = (text: string, holds: (issue: IssueState) => boolean): Clause => ({
    text,
    isMeasure: false,
    holds: ({ issue }) => holds(issue),
  })
  return [
    ofEvent('release:shop@1.1.0', ({ release }) => release === 'shop@1.1.0'),
    ofEvent('release:[shop@1.0.0,shop@1.2.0]', ({ release }) => release === 'shop@1.0.0' || release === 'shop@1.2.0'),
    ofEvent('release:shop@1.*', ({ release }) => release.startsWith('shop@1.')),
    ofEvent('has:release', ({ release }) => release !== ''),
    ofEvent('plan:business', ({ plan }) => plan === 'business'),
    ofEvent('environment:staging', ({ environment }) => environment === 'staging'),
    ofEvent('error.unhandled:true', ({ isHandled }) => !isHandled),
    ofEvent('user:id:user1', ({ user }) => user === 'user1'),
    ofEvent('user.id:[user2,user3]', ({ user }) => user === 'user2' || user === 'user3'),
    ofEvent(`timestamp:>=${day}`, ({ at }) => at >= Date.parse(day)),
    ofEvent('timestamp:-48h', ({ at }) => at >= now - 2 * dayMs),
    ofEvent(`project:${project?.slug}`, ({ projectId }) => projectId === project?.id),
    ofIssue('is:unresolved', ({ status }) => status === 'unresolved'),
    ofIssue('is:[resolved,archived]', ({ status }) => status === 'resolved'),
    ofIssue('firstRelease:shop@1.0.0', ({ firstRelease }) => firstRelease === 'shop@1.0.0'),
    ofIssue('firstRelease:[shop@1.1.*,latest]', ({ firstRelease }) => /^shop@1\.[12]\.0$/.test(firstRelease)),
    ofIssue('level:fatal', ({ level }) => level === 'fatal'),
    ofIssue(title, ({ title: own }) => own.toLowerCase().includes(title.toLowerCase())),
    ofIssue('issue.category:error', () => true),
    { text: 'firstSeen:-5d', isMeasure: true, holds: ({ issue }) => issue.firstSeen >= now - 5 * dayMs },
    { text: 'lastSeen:-3h', isMeasure: true, holds: ({ measures }) => measures.lastSeen >= now - 3 * 3_600_000 },
    { text: 'timesSeen:>20', isMeasure: true, holds: ({ measures }) => measures.events > 20 },
    { text: 'users:<=10', isMeasure: true, holds: ({ measures }) => measures.users <= 10 },
  ]
}
