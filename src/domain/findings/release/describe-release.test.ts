import { expect, test } from 'vitest'
import { profileRoute } from '#domain/routes/route-profile.ts'
import { formatFinding } from '#ui/finding/format-finding.ts'
import { around, makeSums, type Visits } from '../../../../test/make-route-sums.ts'
import type { ReleaseSide } from './compare-release.ts'
import { describeRelease } from './describe-release.ts'

const age = { from: 0, to: 1 }
const side = (version: string, visits: Visits, sessions = { count: 0, failed: 0 }): ReleaseSide => ({
  version,
  age,
  profile: profileRoute(makeSums(visits)),
  sessions,
})
const say = (
  current: ReleaseSide,
  previous: ReleaseSide | null,
  newIssues: { shortId: string; eventCount: number }[] = [],
  allNew = newIssues.length,
) => formatFinding(describeRelease({ current, previous, routes: [] }, { list: newIssues, count: allNew }))

const loads = around(1_000, 5_000)

test('a release that changes nothing has no finding, nor has the first one', () => {
  const [one, two] = [side('shop@1', { lcp: loads, errors: 20 }), side('shop@2', { lcp: loads, errors: 22 })]
  expect(say(two, one)).toBe('')
  expect(say(two, null)).toBe('')
})

test('more errors than the release before at the same age', () => {
  const [one, two] = [side('shop@1', { lcp: loads, errors: 20 }), side('shop@2', { lcp: loads, errors: 150 })]
  expect(say(two, one)).toBe('Errors in 0.4 % → 3 % of visits, compared with shop@1 at the same age.')
})

test('sessions say it better than visits, if there are any', () => {
  const one = side('shop@1', { lcp: loads, errors: 20 }, { count: 6_000, failed: 54 })
  const two = side('shop@2', { lcp: loads, errors: 150 }, { count: 6_310, failed: 177 })
  expect(say(two, one)).toBe('Sessions with an error 0.9 % → 2.8 %, compared with shop@1 at the same age.')
})

test('slower vitals come with the part that is slower, unless there are new issues', () => {
  const one = side('shop@1', { lcp: loads, ttfb: around(300, 5_000) })
  const two = side('shop@2', { lcp: around(1_900, 5_000), ttfb: around(300, 5_000) })
  expect(say(two, one)).toBe(
    'LCP 991 ms → 1.9 s (p75), compared with shop@1 at the same age; in the browser: the first byte takes as long as before.',
  )
  expect(say(two, one, [{ shortId: 'WEB-3', eventCount: 40 }])).toMatch(/; 1 new issue, WEB-3 with 40 events\.$/)
})

test('all new issues are counted if one of them happened more than a few times', () => {
  const only = side('shop@2', {})
  expect(say(only, null, [{ shortId: 'WEB-3', eventCount: 2 }])).toBe('')
  const three = [
    { shortId: 'WEB-3', eventCount: 40 },
    { shortId: 'WEB-4', eventCount: 400 },
    { shortId: 'WEB-5', eventCount: 1 },
  ]
  expect(say(only, null, three)).toBe('3 new issues, WEB-4 the most frequent of them, with 400 events.')
  expect(say(only, null, three, 1_200)).toMatch(/^1,200 new issues, WEB-4 the most frequent of them/)
})
