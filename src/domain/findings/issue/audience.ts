import { countTags, type TagCount } from '#domain/events/newest-events.ts'
import { hourOf } from '#domain/issues/counters/counted-event.ts'
import { breaksHydration, facetOf, isAboutCode, isAboutRelease, isRoute } from '#domain/issues/tag-facets.ts'
import { type UsualTag, usualMs } from '#domain/issues/usual-shares.ts'
import { shareInterval } from '#lib/confidence.ts'
import { type Clause, count, name, type Part, share } from '../clause.ts'
import { findingLimits as limits } from '../limits.ts'
import { type IssueFacts, independentSize, weightsOf } from './issue-facts.ts'
import { ranks } from './ranks.ts'

/** "All 340 events come from one user". */
export function oneUser({ newest, isComplete, eventCount }: IssueFacts): Clause | null {
  if (newest.length < limits.minEvents) return null
  if (new Set(newest.map(({ at }) => hourOf(at))).size < limits.minHours) return null
  const weights = weightsOf(newest)
  const byUser = new Map<string, number>()
  let total = 0
  for (const [index, { user }] of newest.entries()) {
    total += weights[index] ?? 0
    byUser.set(user, (byUser.get(user) ?? 0) + (weights[index] ?? 0))
  }
  const own = Math.max(0, ...[...byUser].filter(([user]) => user !== '0').map(([, weight]) => weight))
  if (own < limits.oneUserShare * total) return null
  const isAll = own === total
  const events: Part[] = isComplete
    ? [count(Math.round(eventCount)), ' events come from one user']
    : ['the newest ', count(newest.length), ' events come from one user']
  return {
    kind: 'one-user',
    aspect: 'audience',
    facet: 'user',
    rank: ranks.oneUser,
    strength: own / total,
    parts: isAll ? ['all ', ...events] : [share(own / total), ' of ', ...events],
    evidence: { kind: 'section', id: 'context' },
    tone: 'neutral',
  }
}

type Compared = {
  tag: TagCount
  usual: UsualTag
  /** Independent observations of the issue, and of the project. */
  size: number
  usualSize: number
}

/** "100 % on plan:business (usual 58 %)", or "never on Safari (usual 21 %)": values far from the project's usual share. */
export function concentrations(facts: IssueFacts): Clause[] {
  const { newest, now } = facts
  const lately = newest.filter(({ at }) => at >= now - usualMs)
  // A release is replaced by the next: its share of a week and its share of a day are different things.
  const ofToday =
    lately.length < newest.length ? releasesOf(lately) : facts.tags.filter(({ key }) => isAboutRelease(key))
  return [
    ...compareTags(
      facts,
      facts.tags.filter(({ key }) => !isAboutRelease(key)),
      newest,
    ),
    ...compareTags(facts, ofToday, lately),
  ]
}

const releasesOf = (newest: IssueFacts['newest']): TagCount[] =>
  countTags(newest.map(({ release, weight }) => ({ pairs: release === '' ? [] : [['release', release]], weight })))

function compareTags(facts: IssueFacts, tags: readonly TagCount[], newest: IssueFacts['newest']): Clause[] {
  const { usual } = facts
  if (usual === null || newest.length < limits.minEvents) return []
  const total = weightsOf(newest).reduce((sum, weight) => sum + weight, 0)
  const size = independentSize(newest)
  return tags.flatMap(tag => {
    const usualTag = usual.get(tag.key)
    if (!usualTag || usualTag.size < limits.minUsual || isAboutCode(tag.key)) return []
    if (tag.quantity < limits.minCoverage * total) return []
    // The project's events come in bursts as well; nothing is known of theirs, so they are taken as large as the issue's.
    const compared = { tag, usual: usualTag, size, usualSize: usualTag.size * (size / newest.length) }
    return [concentrated(facts, compared), ...missing(facts, compared)].filter(clause => clause !== null)
  })
}

function concentrated(facts: IssueFacts, { tag, usual, size, usualSize }: Compared): Clause | null {
  const [value, seen] = tag.top[0] ?? ['', 0]
  const own = seen / tag.quantity
  const usually = usual.values.get(value) ?? (usual.isCut ? Math.min(...usual.values.values()) : 0)
  if (isRoute(tag.key) && facts.culprit.includes(value)) return null
  if (own < limits.minShare || own - usually < limits.minShareGap) return null
  const { low } = shareInterval(own * size, size, limits.zOfMany)
  const { high } = shareInterval(usually * usualSize, usualSize, limits.zOfMany)
  if (low - high < limits.minSureGap) return null
  const isRelease = isAboutRelease(tag.key)
  return {
    kind: isRelease ? 'only-release' : 'tag',
    aspect: isRelease ? 'change' : 'audience',
    facet: facetOf(tag.key),
    rank: rankOf(facts, tag.key),
    strength: divergence(own, usually),
    parts: [share(own, !facts.isComplete), ' on ', name(`${tag.key}:${value}`), ' (usual ', share(usually), ')'],
    evidence: { kind: 'events', key: tag.key, value, isNegated: false },
    tone: 'neutral',
  }
}

function rankOf({ insight }: IssueFacts, key: string): number {
  if (isAboutRelease(key)) return ranks.onlyRelease
  if (insight === 'hydration' && breaksHydration(key)) return ranks.hydration
  return isRoute(key) ? ranks.route : ranks.tag
}

function missing({ isComplete, newest }: IssueFacts, { tag, usual, size, usualSize }: Compared): Clause[] {
  // If not all values were counted, one that is not among them may be there.
  if (tag.distinct > tag.top.length || isRoute(tag.key) || isAboutRelease(tag.key)) return []
  return [...usual.values].flatMap(([value, usually]): Clause[] => {
    if (usually < limits.minMissingShare || tag.top.some(([known]) => known === value)) return []
    const { high } = shareInterval(0, size, limits.zOfMany)
    const { low } = shareInterval(usually * usualSize, usualSize, limits.zOfMany)
    if (low - high < limits.minSureGap) return []
    return [
      {
        kind: 'missing',
        aspect: 'audience',
        facet: facetOf(tag.key),
        rank: ranks.missing,
        strength: usually,
        parts: [
          ...(isComplete ? ['never on '] : ['none of the newest ', count(newest.length), ' events on ']),
          name(`${tag.key}:${value}`),
          ' (usual ',
          share(usually),
          ')',
        ],
        evidence: { kind: 'events', key: tag.key, value, isNegated: true },
        tone: 'neutral',
      },
    ]
  })
}

/** Kullback–Leibler: how surprised somebody would be who expected the usual share. */
function divergence(own: number, usual: number): number {
  const expected = Math.min(0.999, Math.max(0.001, usual))
  const part = (share: number, of: number): number => (share === 0 ? 0 : share * Math.log(share / of))
  return part(own, expected) + part(1 - own, 1 - expected)
}
