import { describe, expect, test } from 'vitest'
import { profileRoute } from '#domain/routes/route-profile.ts'
import { summarizeRoute } from '#domain/routes/summarize-route.ts'
import { formatFinding } from '#ui/finding/format-finding.ts'
import { createRandom, type Random } from '../../../../test/fuzz/random.ts'
import { around, makeSums, type Visits } from '../../../../test/make-route-sums.ts'
import { compareProfiles, compareReleases } from './describe-route.ts'

const compare = (before: Visits, after: Visits) =>
  compareProfiles(profileRoute(makeSums(before)), profileRoute(makeSums(after)), { words: [], version: null })
const say = (before: Visits, after: Visits) => formatFinding(compare(before, after))
const ofRelease = (release: string, visits: Visits) => {
  const sums = makeSums(visits)
  return { release, since: 0, summary: summarizeRoute(sums), sums }
}

describe('a vital', () => {
  test('that moved is said with both values, and its chart is the evidence', () => {
    expect(say({ lcp: around(1_800, 2_000) }, { lcp: around(2_600, 2_000) })).toBe('LCP 1.82 s → 2.63 s (p75).')
    const [clause] = compare({ lcp: around(1_800, 2_000) }, { lcp: around(2_600, 2_000) })
    expect(clause).toMatchObject({ evidence: { kind: 'chart', measure: 'lcp' }, tone: 'worse' })
    expect(say({ cls: around(0.05, 2_000) }, { cls: around(0.2, 2_000) })).toBe('CLS 0.05 → 0.20 (p75).')
  })

  test('that got better is said too, but after one that got worse', () => {
    expect(compare({ lcp: around(2_600, 2_000) }, { lcp: around(1_800, 2_000) })[0]?.tone).toBe('better')
    const mixed = compare(
      { lcp: around(2_600, 2_000), inp: around(100, 2_000) },
      { lcp: around(1_800, 2_000), inp: around(300, 2_000) },
    )
    expect(mixed[0]?.kind).toBe('inp')
  })

  test('that hardly moved, or of few page loads, is not', () => {
    expect(say({ lcp: around(1_800, 20_000) }, { lcp: around(1_900, 20_000) })).toBe('')
    expect(say({ lcp: around(1_800, 60) }, { lcp: around(2_600, 60) })).toBe('')
    expect(say({}, { lcp: around(2_600, 2_000) })).toBe('')
  })

  test('of a sample counts by what was sent, not by what it stands for', () => {
    const [before, after] = [{ lcp: around(1_800, 100) }, { lcp: around(2_400, 100) }]
    expect(say({ ...before, weight: 100 }, { ...after, weight: 100 })).toBe(say(before, after))
    expect(say({ ...before, weight: 100 }, { ...after, weight: 100 })).toBe('')
  })
})

describe('the part of a visit', () => {
  test('is the server if its time explains half of the change', () => {
    const before = { lcp: around(1_800, 2_000), ttfb: around(300, 2_000), request: around(220, 2_000) }
    const after = { lcp: around(2_600, 2_000), ttfb: around(1_000, 2_000), request: around(900, 2_000) }
    expect(say(before, after)).toBe('LCP 1.82 s → 2.63 s (p75); server time 218 ms → 909 ms.')
  })

  test('is the browser if the first byte did not move', () => {
    const before = { lcp: around(1_800, 2_000), ttfb: around(300, 2_000) }
    expect(say(before, { lcp: around(2_600, 2_000), ttfb: around(300, 2_000) })).toBe(
      'LCP 1.82 s → 2.63 s (p75); in the browser: the first byte takes as long as before.',
    )
  })
})

describe('errors', () => {
  const loads = around(1_000, 10_000)

  test('that became more frequent are said as shares of visits, before vitals', () => {
    expect(say({ lcp: loads, errors: 40 }, { lcp: loads, errors: 210 })).toBe('Errors in 0.4 % → 2.1 % of visits.')
    expect(say({ lcp: loads, errors: 40 }, { lcp: around(2_000, 10_000), errors: 210 })).toMatch(/^Errors/)
  })

  test('that only follow the traffic, or are few, are not', () => {
    expect(say({ lcp: loads, errors: 40 }, { lcp: around(1_000, 20_000), errors: 90 })).toBe('')
    expect(say({ lcp: around(1_000, 200), errors: 1 }, { lcp: around(1_000, 200), errors: 5 })).toBe('')
  })
})

test('fewer prefetched navigations are said', () => {
  const [before, after] = [
    { navigations: 2_000, cold: 360 },
    { navigations: 2_000, cold: 1_380 },
  ]
  expect(say({ ...before, prefetches: 1 }, { ...after, prefetches: 1 })).toBe('Prefetched navigations 82 % → 31 %.')
  expect(say(before, after)).toBe('Navigations without a fetch 82 % → 31 %.')
  expect(say({ navigations: 60, cold: 10 }, { navigations: 60, cold: 40 })).toBe('')
})

describe('releases of a route', () => {
  const slow = { lcp: around(2_600, 1_500) }
  const fast = { lcp: around(1_800, 1_500) }

  test('the one is named with which the change came, also if a later one exists', () => {
    const releases = [
      ofRelease('shop@4', slow),
      ofRelease('shop@3', slow),
      ofRelease('shop@2', fast),
      ofRelease('shop@1', fast),
    ]
    expect(formatFinding(compareReleases(releases))).toBe('LCP 1.82 s → 2.57 s (p75) since shop@3.')
  })

  test('nothing is said of one release, nor of data without a release', () => {
    expect(compareReleases([ofRelease('shop@1', slow)])).toEqual([])
    expect(compareReleases([ofRelease('shop@1', slow), ofRelease('', fast)])).toEqual([])
  })
})

const fraction = (random: Random): number => (random.int(1_000_000) + 0.5) / 1_000_000
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(fraction(random))) * Math.cos(2 * Math.PI * fraction(random))

/** Visits of users with devices of their own: each opens the route some times, about equally fast. */
function drawVisits(random: Random, loads: number, errorRate: number): Visits {
  const [lcp, ttfb, request, inp]: [number[], number[], number[], number[]] = [[], [], [], []]
  while (lcp.length < loads) {
    const device = Math.exp(0.6 * normal(random))
    for (let visit = 0; visit <= random.int(5); visit++) {
      lcp.push(1_500 * device * Math.exp(0.2 * normal(random)))
      ttfb.push(300 * device * Math.exp(0.3 * normal(random)))
      inp.push(120 * device * Math.exp(0.4 * normal(random)))
      request.push(200 * Math.exp(0.7 * normal(random)))
    }
  }
  let errors = 0
  for (let load = 0; load < loads; load++) if (random.chance(errorRate)) errors += 1 + random.int(4)
  const navigations = loads
  const cold = Array.from({ length: navigations }, () => random.chance(0.4)).filter(Boolean).length
  return { lcp, ttfb, inp, request, errors, navigations, cold }
}

test('of 1,000 routes to which nothing has happened, next to none has a finding', { timeout: 60_000 }, () => {
  const wrong = Array.from({ length: 1_000 }, (_, seed) => {
    const random = createRandom(seed)
    const sizes = [0, 1].map(() => Math.round(30 * 30 ** fraction(random)))
    const errorRate = random.pick([0, 0.002, 0.02, 0.1])
    const [before = {}, after = {}] = sizes.map(size => drawVisits(random, size, errorRate))
    return { seed, said: say(before, after) }
  }).filter(({ said }) => said !== '')
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(10)
})
