import { expect, test } from 'vitest'
import { createRandom, type Random } from '../../../../test/fuzz/random.ts'
import { dayMs, type FactEvent, hourMs, makeFacts, now, usualOf } from '../../../../test/make-issue-facts.ts'
import { describeIssue } from './find-issue-finding.ts'

const worlds = 1_000
/** One in a hundred pages may be wrong about an issue that nothing has happened to. */
const mostWrong = 10

const fraction = (random: Random): number => random.int(1_000_000) / 1_000_000

/** Shares of a tag's values, from nearly equal to one that dominates. */
function drawShares(random: Random, prefix: string): Record<string, number> {
  const raw = Array.from({ length: 1 + random.int(6) }, () => fraction(random) ** 3 + 0.01)
  const total = raw.reduce((sum, each) => sum + each, 0)
  return Object.fromEntries(raw.map((each, index) => [`${prefix}${index}`, each / total]))
}

function drawValue(random: Random, shares: Readonly<Record<string, number>>): string {
  let left = fraction(random)
  for (const [value, share] of Object.entries(shares)) if ((left -= share) <= 0) return value
  return Object.keys(shares)[0] ?? ''
}

/**
 * An issue to which nothing happens: the same rate all the time, by day and night as its project's traffic, in bursts of single users,
 * whose tags are drawn as for everybody; releases come without an effect.
 */
function drawWorld(seed: number) {
  const random = createRandom(seed)
  const tags = Object.fromEntries(
    ['plan', 'browser.name', 'country', 'environment', 'route', 'tenant'].map(key => [key, drawShares(random, key)]),
  )
  const lifeMs = random.pick([2, 5, 9, 20, 40]) * dayMs * (0.5 + fraction(random))
  const occurrences = Math.round(5 * 200 ** fraction(random))
  const burst = random.pick([1, 1, 2, 5, 20])
  const night = random.pick([0, 0, 0.5, 0.9])
  const starts = Array.from({ length: 1 + random.int(30) }, (_, index) => ({
    version: `shop@1.${index}`,
    at: now - Math.floor(fraction(random) * 14 * dayMs),
    isDeploy: random.chance(0.5),
    environment: 'production',
  })).sort((a, b) => a.at - b.at)
  const events: FactEvent[] = []
  while (events.length < occurrences) {
    const at = now - Math.floor(fraction(random) * lifeMs)
    const isNight = at % dayMs < 8 * hourMs
    if (isNight && random.chance(night)) continue
    const own = Object.fromEntries(Object.entries(tags).map(([key, shares]) => [key, drawValue(random, shares)]))
    const release = starts.findLast(start => start.at <= at)?.version ?? 'shop@1'
    const user = random.chance(0.8) ? `u${random.int(1_000_000)}` : '0'
    const repeats = user === '0' ? 1 : 1 + random.int(burst)
    for (let repeat = 0; repeat < repeats; repeat++)
      events.push({
        at: Math.min(now, at + repeat * 1_000),
        user,
        release,
        environment: own.environment ?? '',
        tags: own,
      })
  }
  return makeFacts(events, { starts, usual: usualOf(tags) })
}

test('of 1,000 issues to which nothing has happened, next to none has a finding', { timeout: 60_000 }, () => {
  const wrong = Array.from({ length: worlds }, (_, seed) => describeIssue(drawWorld(seed)).map(({ kind }) => kind))
    .map((kinds, seed) => ({ seed, kinds }))
    .filter(({ kinds }) => kinds.length > 0)
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(mostWrong)
})
