import type { ReleaseStart } from '#domain/releases/list-release-starts.ts'
import { type Rate, rateRatio, ratioInterval } from '#lib/confidence.ts'
import { age, type Clause, count, name, share, times } from '../clause.ts'
import { findingLimits as limits } from '../limits.ts'
import { burstSize, dailyRate, hourlyRate, rateSince, usualRate } from './event-rates.ts'
import type { IssueFacts } from './issue-facts.ts'
import { ranks } from './ranks.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Comparison = { start: ReleaseStart; before: Rate; after: Rate; evidence: number }

/** "4× more since shop@1.14.0, deployed 2 h ago": of all starts of the week, the one that explains the counts best. */
export function sinceRelease(facts: IssueFacts): Clause | null {
  const best = facts.starts
    .map(start => compareStart(facts, start))
    .filter(compared => compared !== null)
    .sort((a, b) => b.evidence - a.evidence || b.start.at - a.start.at)[0]
  if (!best) return null
  const { start, before, after } = best
  // If these hours of the day had none, the whole week may have had some.
  const base = before.count > 0 ? before : hourlyRate(facts, start.at - limits.baseMs, start.at)
  const rise = base.count === 0 ? null : rateRatio(after, base)
  const deployed = [name(start.version), start.isDeploy ? ', deployed ' : ', first seen ']
  const since = [...deployed, age(facts.now - start.at), ' ago']
  const parts =
    rise === null
      ? [count(Math.round(after.count)), ' events since ', ...since, '; none in the week before']
      : [times(rise), ' more since ', ...since]
  return {
    kind: 'since-release',
    aspect: 'change',
    facet: 'release',
    rank: ranks.sinceRelease,
    strength: best.evidence,
    parts,
    evidence: { kind: 'range', from: start.at, to: facts.now },
    tone: 'worse',
  }
}

function compareStart(facts: IssueFacts, start: ReleaseStart): Comparison | null {
  const { now, firstSeen } = facts
  const { at } = start
  if (now - at < limits.minAfterMs || at < now - limits.baseMs) return null
  if (at - Math.max(firstSeen, facts.countedSince) < dayMs) return null
  const before = usualRate(facts, at, now)
  const after = rateSince(facts, at)
  if (before.exposure === 0 || after.count < limits.minEvents) return null
  if (!isRise(after, before, burstSize(facts, at - limits.baseMs, at))) return null
  const isHighAlready = limits.justBeforeMs.some(ms => {
    const earlier = hourlyRate(facts, at - ms, at)
    return earlier.count > 0 && rateRatio(after, earlier) < limits.minSureRatio
  })
  if (isHighAlready) return null
  return { start, before, after, evidence: likelihoodOf(after, before) }
}

function isRise(rate: Rate, base: Rate, dispersion: number): boolean {
  const { low } = ratioInterval(rate, base, { z: limits.z, dispersion })
  return rateRatio(rate, base) >= limits.minRatio && low >= limits.minSureRatio
}

function isFall(rate: Rate, base: Rate, dispersion: number): boolean {
  const { high } = ratioInterval(rate, base, { z: limits.z, dispersion })
  return rateRatio(rate, base) <= 1 / limits.minRatio && high <= 1 / limits.minSureRatio
}

/** How much better two rates explain the counts than one: the log-likelihood ratio of two Poisson counts. */
function likelihoodOf(one: Rate, two: Rate): number {
  const common = (one.count + two.count) / (one.exposure + two.exposure)
  const gain = ({ count, exposure }: Rate): number => (count === 0 ? 0 : count * Math.log(count / exposure / common))
  return gain(one) + gain(two)
}

type Expected = { missing: number; perDay: number }

/** How many events should have come since a time, at the usual rate. */
function expectedSince(facts: IssueFacts, at: number): Expected | null {
  if (at - Math.max(facts.firstSeen, facts.countedSince) < dayMs) return null
  const before = usualRate(facts, at, facts.now)
  if (before.count < limits.minEvents) return null
  const hourly = before.count / before.exposure
  const bursts = burstSize(facts, at - limits.baseMs, at)
  return { missing: ((facts.now - at) / hourMs) * (hourly / bursts), perDay: hourly * 24 }
}

/** "No events since shop@1.14.0, deployed 2 d ago, where ≈ 40 were usual": only if they stopped with it and not before. */
export function stoppedSince(facts: IssueFacts): Clause | null {
  const { now, lastSeen, starts } = facts
  const start = starts.find(({ at }) => at > lastSeen && now - at >= limits.minAfterMs)
  const stopped = expectedSince(facts, lastSeen + 1)
  if (stopped === null || stopped.missing < limits.minMissing) return null
  const expectedAfter = (at: number): number => stopped.missing * ((now - at) / Math.max(1, now - lastSeen))
  const common = { aspect: 'change', strength: stopped.missing, tone: 'better' } as const
  if (
    start &&
    expectedAfter(start.at) >= limits.minMissing &&
    stopped.missing - expectedAfter(start.at) < limits.minMissing / 2
  ) {
    const hours = (now - start.at) / hourMs
    return {
      ...common,
      kind: 'stopped-since-release',
      facet: 'release',
      rank: ranks.stoppedSince,
      parts: [
        'no events since ',
        name(start.version),
        start.isDeploy ? ', deployed ' : ', first seen ',
        age(now - start.at),
        ' ago, where ',
        count(Math.round((stopped.perDay * hours) / 24), true),
        ' were usual',
      ],
      evidence: { kind: 'release', version: start.version },
    }
  }
  if (now - lastSeen < dayMs) return null
  return {
    ...common,
    kind: 'quiet',
    facet: 'time',
    rank: ranks.quiet,
    parts: ['no events for ', age(now - lastSeen), '; ', count(Math.round(stopped.perDay), true), ' a day before'],
    evidence: { kind: 'range', from: lastSeen - dayMs, to: now },
  }
}

/** "3× more in the last 24 h than in the week before", or over 7 days. */
export function trend(facts: IssueFacts): Clause | null {
  const { now, firstSeen, countedSince } = facts
  const known = Math.max(firstSeen, countedSince)
  return lastDay() ?? lastWeek()

  function lastDay(): Clause | null {
    const from = Math.max(known, now - dayMs - limits.baseMs)
    if (now - dayMs - from < limits.minBaseMs) return null
    const base = hourlyRate(facts, from, now - dayMs)
    const rate = hourlyRate(facts, now - dayMs, now)
    return describe(rate, base, burstSize(facts, from, now - dayMs), { ms: dayMs, label: '24 h' })
  }

  function lastWeek(): Clause | null {
    const today = Math.floor(now / dayMs)
    if (firstSeen > (today - 13) * dayMs || !facts.days.size) return null
    const base = dailyRate(facts, today - 13, today - 6)
    const rate = dailyRate(facts, today - 6, today + 1)
    const bursts = burstSize(facts, now - limits.baseMs, now)
    return describe(rate, base, bursts, { ms: now - (today - 6) * dayMs, label: '7 d' })
  }

  function describe(rate: Rate, base: Rate, bursts: number, { ms, label }: { ms: number; label: string }) {
    if (rate.count + base.count < limits.minEvents) return null
    const isUp = rate.count >= limits.minEvents && isRise(rate, base, bursts)
    if (!isUp && !(base.count >= limits.minEvents && isFall(rate, base, bursts))) return null
    const ratio = rateRatio(rate, base)
    const than = ` in the last ${label} than in the week before`
    return {
      kind: isUp ? 'more' : 'fewer',
      aspect: 'change',
      facet: 'time',
      rank: isUp ? ranks.more : ranks.fewer,
      strength: Math.abs(Math.log(Math.max(ratio, 1e-9))),
      parts:
        ratio === Number.POSITIVE_INFINITY
          ? [count(Math.round(rate.count)), ` events in the last ${label}; none in the week before`]
          : isUp
            ? [times(ratio), ` more${than}`]
            : [share(1 - ratio), ` fewer${than}`],
      evidence: { kind: 'range', from: now - ms, to: now },
      tone: isUp ? 'worse' : 'better',
    } satisfies Clause
  }
}
