import type { ReleaseStart } from '#domain/releases/list-release-starts.ts'
import { shareInterval } from '#lib/confidence.ts'
import { age, type Clause, count, name, share } from '../clause.ts'
import { findingLimits as limits } from '../limits.ts'
import { type IssueFacts, independentSize, weightsOf } from './issue-facts.ts'
import { ranks } from './ranks.ts'

const hourMs = 3_600_000

const change = { aspect: 'change', tone: 'worse' } as const

/** "Back since 3 h in shop@1.14.0, 5 d after it was resolved": digest has decided it, so it needs no test. */
export function regressed({ regression, now }: IssueFacts): Clause | null {
  if (regression === null) return null
  const { at, release, resolvedAt } = regression
  return {
    ...change,
    kind: 'regressed',
    facet: 'release',
    rank: ranks.regressed,
    strength: 1,
    parts: [
      'came back ',
      age(now - at),
      ' ago',
      ...(release === '' ? [] : [' in ', name(release)]),
      ...(resolvedAt === null || at <= resolvedAt ? [] : [', ', age(at - resolvedAt), ' after it was resolved']),
    ],
    evidence: { kind: 'section', id: 'activity' },
  }
}

/** "412 events in one hour, usual peak 30": the same rule that marks the issue as escalating. */
export function escalating({ escalation }: IssueFacts): Clause | null {
  if (escalation === null) return null
  const { at, events, usual } = escalation
  return {
    ...change,
    kind: 'escalating',
    facet: 'time',
    rank: ranks.escalating,
    strength: events / Math.max(1, usual),
    parts: [count(events), ' events within an hour; the usual peak is ', count(usual)],
    evidence: { kind: 'range', from: Math.floor(at / hourMs) * hourMs, to: (Math.floor(at / hourMs) + 1) * hourMs },
  }
}

/**
 * "First seen 12 m after shop@1.14.0 was deployed". An unrelated issue also begins at some time, so the chance that it begins so
 * shortly after a deploy must be small: the gap as a share of the time between deploys, times the chance that all of
 * its events have the new release although it is only one of those in use.
 */
export function beganWithRelease(facts: IssueFacts): Clause | null {
  const { firstSeen, starts, newest, eventCount, now, usual } = facts
  const start = starts.findLast(({ at }) => at <= firstSeen)
  if (!start || eventCount < limits.minFirstEvents || now - firstSeen > limits.baseMs) return null
  const gap = firstSeen - start.at
  if (gap > limits.afterDeployMs) return null
  // Without a deploy, a release begins with its first event: that is no coincidence.
  if (!start.isDeploy && gap < 1_000) return null
  const isOnlyThere = newest.every(({ release }) => release === '' || isFrom(start, release, starts))
  if (!isOnlyThere) return null
  const usualShare = usual?.get('release')?.values.get(start.version) ?? 1
  const chance = (gap / intervalOf(starts, now)) * usualShare ** Math.min(50, independentSize(newest))
  if (chance > limits.maxChance) return null
  return {
    ...change,
    kind: 'began-with-release',
    facet: 'release',
    rank: ranks.began,
    strength: -Math.log(Math.max(chance, 1e-300)),
    parts: [
      'first seen ',
      age(gap),
      ' after ',
      name(start.version),
      start.isDeploy ? ' was deployed' : ' was first seen',
    ],
    evidence: { kind: 'release', version: start.version },
  }
}

/** The release of the start, or one that came later. */
function isFrom(start: ReleaseStart, release: string, starts: readonly ReleaseStart[]): boolean {
  if (release === start.version) return true
  const own = starts.filter(({ version }) => version === release).map(({ at }) => at)
  return own.length > 0 && Math.min(...own) >= start.at
}

/** The mean time between starts, as far back as they are known. */
function intervalOf(starts: readonly ReleaseStart[], now: number): number {
  const oldest = starts[0]?.at ?? now
  return (now - oldest) / starts.length || 1
}

/** "Reached production 2 h ago; only staging before": enough events before would have included some, had it been there. */
export function newEnvironment({ newest, isComplete, now }: IssueFacts): Clause | null {
  if (!isComplete || newest.length < limits.minEvents) return null
  const first = new Map<string, number>()
  for (const { environment, at } of newest.toReversed())
    if (environment !== '' && !first.has(environment)) first.set(environment, at)
  const [latest, ...earlier] = [...first].sort((a, b) => b[1] - a[1])
  if (!latest || earlier.length === 0) return null
  const [environment, since] = latest
  const before = newest.filter(({ at }) => at < since)
  const after = newest.filter(({ at }) => at >= since)
  const weights = weightsOf(after)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const own = after.reduce(
    (sum, each, index) => (each.environment === environment ? sum + (weights[index] ?? 0) : sum),
    0,
  )
  const size = independentSize(after)
  const { low } = shareInterval((own / total) * size, size, limits.z)
  const { high } = shareInterval(0, independentSize(before), limits.z)
  if (size < limits.minEvents || low - high < limits.minSureGap) return null
  return {
    ...change,
    kind: 'new-environment',
    facet: 'environment',
    rank: ranks.newEnvironment,
    strength: low - high,
    parts: [
      'reached ',
      name(environment),
      ' ',
      age(now - since),
      ' ago; before only in ',
      name(
        earlier
          .map(([each]) => each)
          .slice(0, 2)
          .join(', '),
      ),
    ],
    evidence: { kind: 'events', key: 'environment', value: environment, isNegated: false },
  }
}

/** "97 % from tabs older than shop@1.14.0, deployed 12 m before the first one": for issues that deploy skew causes. */
export function staleTabs(facts: IssueFacts): Clause | null {
  const { insight, newest, starts, firstSeen, isComplete } = facts
  if (insight !== 'skew' || newest.length < limits.minFirstEvents) return null
  const weights = weightsOf(newest)
  const stale = new Map<ReleaseStart, number>()
  let total = 0
  for (const [index, { release, at }] of newest.entries()) {
    total += weights[index] ?? 0
    const own = starts.find(({ version }) => version === release)
    const later = starts.findLast(start => start.at <= at && start.version !== release)
    if (own && later && later.at > own.at) stale.set(later, (stale.get(later) ?? 0) + (weights[index] ?? 0))
  }
  const [most] = [...stale].sort((a, b) => b[1] - a[1])
  if (!most || total === 0) return null
  const [start, events] = most
  const size = independentSize(newest)
  if (shareInterval((events / total) * size, size, limits.z).low < limits.minShare / 2) return null
  const gap = firstSeen - start.at
  return {
    ...change,
    kind: 'stale-tabs',
    facet: 'release',
    rank: ranks.skew,
    strength: events / total,
    parts: [
      share(events / total, !isComplete),
      ' from tabs older than ',
      name(start.version),
      ...(gap >= 0 && gap <= limits.baseMs
        ? [start.isDeploy ? ', deployed ' : ', first seen ', age(gap), ' before the first one']
        : []),
    ],
    evidence: { kind: 'release', version: start.version },
  }
}
