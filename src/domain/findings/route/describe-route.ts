import type { RouteOfRelease } from '#domain/routes/find-route.ts'
import { profileMeasures, profileRoute, type RouteProfile } from '#domain/routes/route-profile.ts'
import { rateServerTime, rateVital } from '#react/route-sample.ts'
import { type Clause, chooseClauses, type Finding, name, type Part, rate, share } from '../clause.ts'
import { compareFailures, compareMeasure, comparePrefetches, type MeasureChange } from './compare-profiles.ts'
import { routeLimits as limits } from './route-limits.ts'

/** What both times are: the words after a change, and where its evidence is. */
type Since = { words: Part[]; version: string | null }

/** What is worse or better than before, and which part of the visit it is. */
export function compareProfiles(before: RouteProfile, after: RouteProfile, since: Since): Finding {
  const changes = profileMeasures.flatMap(measure => compareMeasure(before, after, measure) ?? [])
  return chooseClauses([
    failuresClause(before, after, since),
    ...changes
      .filter(({ measure }) => measure !== 'ttfb' && measure !== 'fcp')
      .map(change => measureClause(change, since)),
    prefetchClause(before, after, since),
    partClause(changes, before, after),
  ])
}

const labels: Record<MeasureChange['measure'], string> = {
  lcp: 'LCP',
  inp: 'INP',
  cls: 'CLS',
  ttfb: 'first byte',
  fcp: 'FCP',
  request: 'server time',
}
const order = ['failures', 'lcp', 'inp', 'cls', 'request', 'prefetch', 'part']
/** Something that got worse is said before anything that got better. */
const rankOf = (kind: string, isWorse: boolean): number => order.indexOf(kind) + (isWorse ? 0 : order.length)

function measureClause({ measure, before, after, strength }: MeasureChange, since: Since): Clause {
  const isWorse = after > before
  return {
    kind: measure,
    aspect: 'change',
    facet: measure === 'request' ? 'server' : measure,
    rank: rankOf(measure, isWorse) + (ratingOf(measure, after) === 'good' ? 1 / 2 : 0),
    strength,
    parts: [
      `${labels[measure]} `,
      amountOf(measure, before),
      ' → ',
      amountOf(measure, after),
      ' (p75)',
      ...since.words,
    ],
    evidence: { kind: 'chart', measure },
    tone: isWorse ? 'worse' : 'better',
  }
}

const ratingOf = (measure: MeasureChange['measure'], value: number) =>
  measure === 'request' ? rateServerTime(value) : rateVital(measure, value)

const amountOf = (measure: string, value: number): Part => ({ kind: measure === 'cls' ? 'score' : 'ms', value })

function failuresClause(before: RouteProfile, after: RouteProfile, { words, version }: Since): Clause | null {
  const change = compareFailures(before, after)
  if (change === null) return null
  return {
    kind: 'failures',
    aspect: 'change',
    facet: 'errors',
    rank: rankOf('failures', change.isUp),
    strength: change.strength,
    parts: ['errors in ', rate(change.before), ' → ', rate(change.after), ' of visits', ...words],
    evidence: version === null ? { kind: 'section', id: 'failures' } : { kind: 'release', version },
    tone: change.isUp ? 'worse' : 'better',
  }
}

function prefetchClause(before: RouteProfile, after: RouteProfile, { words }: Since): Clause | null {
  const change = comparePrefetches(before, after)
  if (change === null) return null
  const hasPrefetches = before.summary.prefetches.sent > 0 && after.summary.prefetches.sent > 0
  return {
    kind: 'prefetch',
    aspect: 'change',
    facet: 'prefetch',
    rank: rankOf('prefetch', !change.isUp),
    strength: change.strength,
    parts: [
      hasPrefetches ? 'prefetched navigations ' : 'navigations without a fetch ',
      share(change.before),
      ' → ',
      share(change.after),
      ...words,
    ],
    evidence: { kind: 'section', id: 'navigations' },
    tone: change.isUp ? 'better' : 'worse',
  }
}

/** Where a slower or faster paint comes from: if the server explains half of it, it is the server; if it did not move, the browser. */
function partClause(changes: readonly MeasureChange[], before: RouteProfile, after: RouteProfile): Clause | null {
  const paint = changes.find(({ measure }) => measure === 'lcp')
  if (!paint) return null
  const move = paint.after - paint.before
  const cause = changes.find(
    ({ measure, before: from, after: to }) =>
      (measure === 'request' || measure === 'ttfb') &&
      Math.sign(to - from) === Math.sign(move) &&
      (to - from) / move >= 0.5,
  )
  const common = { kind: 'part', aspect: 'audience', rank: rankOf('part', true), strength: 1, tone: 'neutral' } as const
  if (cause)
    return {
      ...common,
      facet: 'server',
      parts: [
        `${labels[cause.measure]} `,
        amountOf(cause.measure, cause.before),
        ' → ',
        amountOf(cause.measure, cause.after),
      ],
      evidence: { kind: 'chart', measure: cause.measure },
    }
  const isServerKnown = Math.min(sizeOf(before), sizeOf(after)) >= limits.minValues * limits.visitsPerUser
  if (!isServerKnown || changes.some(({ measure }) => measure === 'request' || measure === 'ttfb')) return null
  return {
    ...common,
    facet: 'browser',
    parts: ['in the browser: the first byte takes as long as before'],
    evidence: { kind: 'chart', measure: 'ttfb' },
  }
}

const sizeOf = ({ histograms }: RouteProfile): number =>
  histograms.ttfb.counts.reduce((sum, count) => sum + count, 0) * histograms.ttfb.storedShare

type Split = { finding: Finding; strength: number }

/**
 * What has changed with one of the newest releases: each is compared, together with those after it, with all before it. Of several, the one
 * is named with which most has changed.
 */
export function compareReleases(releases: readonly RouteOfRelease[]): Finding {
  const add = (of: RouteOfRelease[]): RouteProfile => profileRoute(of.flatMap(({ sums }) => sums))
  const named = releases.filter(({ release }) => release !== '')
  const splits = named.slice(0, Math.min(limits.maxSplits, named.length - 1)).map(({ release }, index): Split => {
    const [after, before] = [add(named.slice(0, index + 1)), add(named.slice(index + 1))]
    const finding = compareProfiles(before, after, { words: [' since ', name(release)], version: release })
    return { finding, strength: finding.reduce((sum, clause) => sum + clause.strength, 0) }
  })
  return splits.sort((a, b) => b.strength - a.strength)[0]?.finding ?? []
}
