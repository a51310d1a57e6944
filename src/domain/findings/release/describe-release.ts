import type { IssueSummary } from '#domain/issues/issue-totals.ts'
import { type Clause, chooseClauses, count, type Finding, name, rate } from '../clause.ts'
import { findingLimits } from '../limits.ts'
import { compareFailures, type Failures } from '../route/compare-profiles.ts'
import { compareProfiles } from '../route/describe-route.ts'
import { routeLimits } from '../route/route-limits.ts'
import type { ReleaseComparison, ReleaseSide } from './compare-release.ts'

type NewIssues = {
  /** All of them, of which the list has the most frequent ones. */
  count: number
  list: readonly Pick<IssueSummary, 'shortId' | 'eventCount'>[]
}

/** What a release changed compared with the one before it, and which new issues it brought. */
export function describeRelease({ current, previous }: ReleaseComparison, newIssues: NewIssues): Finding {
  const since = previous && { words: [', compared with ', name(previous.version), ' at the same age'], version: null }
  const compared = since ? compareProfiles(previous.profile, current.profile, since) : []
  const sessions = since && sessionsClause(previous, current, since.words)
  const [change] = chooseClauses([sessions, ...compared.filter(({ aspect }) => aspect === 'change')])
  const part = compared.find(({ aspect }) => aspect === 'audience')
  const issues = newIssuesClause(newIssues)
  // New issues say more about a release than which part of a visit is slower.
  return [change, issues ?? (change && compared.includes(change) ? part : undefined)].filter(
    clause => clause !== undefined && clause !== null,
  )
}

/** If the SDK sends sessions, they say better than page views how many users had an error. */
function sessionsClause(previous: ReleaseSide, current: ReleaseSide, words: Clause['parts']): Clause | null {
  const change = compareFailures(ofSessions(previous), ofSessions(current), routeLimits.sessionsPerUser)
  if (change === null) return null
  return {
    kind: 'sessions',
    aspect: 'change',
    facet: 'errors',
    rank: change.isUp ? -1 : 0,
    strength: change.strength,
    parts: ['sessions with an error ', rate(change.before), ' → ', rate(change.after), ...words],
    evidence: { kind: 'section', id: 'routes' },
    tone: change.isUp ? 'worse' : 'better',
  }
}

const ofSessions = ({ sessions }: ReleaseSide): Failures => ({
  visits: sessions.count,
  storedVisits: sessions.count,
  failures: sessions.failed,
})

/** "2 new issues, WEB-12 the most frequent of them", if one of them happened more than a few times. */
function newIssuesClause({ count: all, list }: NewIssues): Clause | null {
  const frequent = list.filter(({ eventCount }) => eventCount >= findingLimits.minFirstEvents)
  const [most] = frequent.toSorted((a, b) => b.eventCount - a.eventCount)
  if (!most) return null
  return {
    kind: 'new-issues',
    aspect: 'audience',
    facet: 'issues',
    rank: 0,
    strength: frequent.length,
    parts: [
      count(all),
      all === 1 ? ' new issue, ' : ' new issues, ',
      name(most.shortId),
      all === 1 ? ' with ' : ' the most frequent of them, with ',
      count(Math.round(most.eventCount)),
      ' events',
    ],
    evidence: { kind: 'section', id: 'new' },
    tone: 'worse',
  }
}
