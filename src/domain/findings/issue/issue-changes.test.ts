import { describe, expect, test } from 'vitest'
import { formatFinding } from '#ui/finding/format-finding.ts'
import { dayMs, every, hourMs, makeFacts, now, usualOf } from '../../../../test/make-issue-facts.ts'
import { describeIssue } from './find-issue-finding.ts'

const minuteMs = 60_000
const say = (...facts: Parameters<typeof makeFacts>) => formatFinding(describeIssue(makeFacts(...facts)))
const deploy = (version: string, ago: number) => ({
  version,
  at: now - ago,
  isDeploy: true,
  environment: 'production',
})
const seen = (version: string, ago: number) => ({ version, at: now - ago, isDeploy: false, environment: '' })
/** Ten an hour for ten days, each of another user. */
const steady = every(6 * minuteMs, now - 10 * dayMs, now, index => ({ user: `u${index}`, release: 'shop@1' }))

test('a steady issue has no finding', () => {
  expect(say(steady, { starts: [deploy('shop@1', 9 * dayMs), deploy('shop@2', 5 * hourMs)] })).toBe('')
})

describe('since a release', () => {
  const risen = [
    ...steady,
    ...every(2 * minuteMs, now - 3 * hourMs, now, index => ({ user: `v${index}`, release: 'shop@2' })),
  ]
  const starts = [deploy('shop@1', 9 * dayMs), deploy('shop@2', 3 * hourMs)]

  test('more events are named with the release and its deploy, and lead to them', () => {
    expect(say(risen, { starts })).toBe('4× more since shop@2, deployed 3 h ago.')
    expect(describeIssue(makeFacts(risen, { starts }))[0]?.evidence).toEqual({
      kind: 'range',
      from: now - 3 * hourMs,
      to: now,
    })
  })

  test('a release that only events have named was first seen', () => {
    expect(say(risen, { starts: [seen('shop@2', 3 * hourMs)] })).toBe('4× more since shop@2, first seen 3 h ago.')
  })

  test('of two releases, the one is named with which it began', () => {
    expect(say(risen, { starts: [...starts, deploy('shop@3', hourMs)] })).toContain('since shop@2')
  })

  test('a rise that began before the deploy is not the deploy’s', () => {
    const late = [deploy('shop@1', 9 * dayMs), deploy('shop@3', 30 * minuteMs)]
    expect(say(risen, { starts: late })).not.toContain('shop@3')
  })

  test('a loop of one user is no rise', () => {
    const loop = every(2 * minuteMs, now - 3 * hourMs, now, () => ({ user: 'one', release: 'shop@2' }))
    expect(say([...steady, ...loop], { starts })).toBe('')
  })

  test('the same hours of the days before are compared, so that every morning is no rise', () => {
    const mornings = Array.from({ length: 8 }, (_, day) =>
      every(minuteMs, now - day * dayMs - 3 * hourMs, now - day * dayMs, index => ({ user: `${day} ${index}` })),
    ).flat()
    expect(say(mornings, { starts })).toBe('')
  })

  test('few events say nothing', () => {
    const few = every(20 * minuteMs, now - 3 * hourMs, now, index => ({ user: `v${index}` }))
    expect(say([...every(dayMs, now - 9 * dayMs, now - dayMs), ...few], { starts })).toBe('')
  })
})

describe('a new issue', () => {
  const fresh = every(5 * minuteMs, now - 2 * hourMs, now, index => ({ user: `u${index}`, release: 'shop@2' }))
  const first = now - 2 * hourMs + 2.5 * minuteMs

  test('that began shortly after a deploy, and only in its release, says so', () => {
    const starts = [deploy('shop@1', 9 * dayMs), { ...deploy('shop@2', 0), at: first - 12 * minuteMs }]
    expect(say(fresh, { starts })).toBe('First seen 12 m after shop@2 was deployed.')
    expect(describeIssue(makeFacts(fresh, { starts }))[0]?.evidence).toEqual({ kind: 'release', version: 'shop@2' })
  })

  test('with a deploy every hour, that is a coincidence', () => {
    const starts = Array.from({ length: 200 }, (_, index) => ({
      ...deploy(`shop@${index}`, 0),
      at: first - 12 * minuteMs - (199 - index) * hourMs,
    }))
    expect(say(fresh, { starts })).toBe('')
  })

  test('that the release before has too is not the deploy’s', () => {
    const starts = [deploy('shop@1', 9 * dayMs), { ...deploy('shop@2', 0), at: first - 12 * minuteMs }]
    const both = fresh.map((event, index) => ({ ...event, release: index % 3 ? 'shop@2' : 'shop@1' }))
    expect(say(both, { starts })).toBe('')
  })

  test('of few events says nothing', () => {
    const starts = [deploy('shop@1', 9 * dayMs), { ...deploy('shop@2', 0), at: first - 12 * minuteMs }]
    expect(say(fresh.slice(-4), { starts })).toBe('')
  })

  test('that is the first data of its release says nothing: a release begins with its first event', () => {
    const starts = [deploy('shop@1', 9 * dayMs), { ...seen('shop@2', 0), at: first }]
    expect(say(fresh, { starts })).toBe('')
  })
})

describe('an issue that stopped', () => {
  const ended = steady.filter(({ at }) => at < now - 30 * hourMs)

  test('with a release says since when, and how many were usual', () => {
    const starts = [deploy('shop@1', 9 * dayMs), deploy('shop@2', 30 * hourMs - 10 * minuteMs)]
    expect(say(ended, { starts })).toBe('No events since shop@2, deployed 1 d ago, where ≈ 298 were usual.')
  })

  test('long before the release did not stop with it', () => {
    const starts = [deploy('shop@1', 9 * dayMs), deploy('shop@2', 2 * hourMs)]
    expect(say(ended, { starts })).toBe('No events for 1 d; ≈ 240 a day before.')
  })

  test('a pause that often happens is none', () => {
    const rare = every(7 * hourMs, now - 10 * dayMs, now - 20 * hourMs)
    expect(say(rare, { starts: [deploy('shop@2', 19 * hourMs)] })).toBe('')
  })
})

describe('the trend against the week before', () => {
  test('of a day', () => {
    const more = every(2 * minuteMs, now - dayMs, now, index => ({ user: `v${index}` }))
    expect(say([...steady, ...more])).toBe('4× more in the last 24 h than in the week before.')
    const fewer = steady.filter(({ at }, index) => at < now - dayMs || index % 6 === 0)
    expect(say(fewer)).toBe('83 % fewer in the last 24 h than in the week before.')
  })

  test('of a week', () => {
    const longer = every(30 * minuteMs, now - 14 * dayMs, now, index => ({ user: `u${index}` }))
    const more = every(10 * minuteMs, now - 6 * dayMs, now, index => ({ user: `v${index}` }))
    expect(say([...longer, ...more])).toMatch(/^[34](\.\d)?× more in the last 7 d than in the week before\.$/)
  })

  test('needs three days of history', () => {
    const young = every(hourMs, now - 2 * dayMs, now - dayMs)
    const more = every(minuteMs, now - dayMs, now, index => ({ user: `v${index}` }))
    expect(say([...young, ...more])).toBe('')
  })
})

describe('states that digest has decided', () => {
  test('a regression names its release and how long the issue was resolved', () => {
    const regression = { at: now - 3 * hourMs, release: 'shop@2', resolvedAt: now - 5 * dayMs }
    expect(say(steady, { regression })).toBe('Came back 3 h ago in shop@2, 4 d after it was resolved.')
    expect(say(steady, { regression: { ...regression, release: '', resolvedAt: null } })).toBe('Came back 3 h ago.')
  })

  test('an escalation has its count and the usual peak', () => {
    const escalation = { at: now - hourMs, events: 412, usual: 30 }
    expect(say(steady, { escalation })).toBe('412 events within an hour; the usual peak is 30.')
  })
})

describe('a new environment', () => {
  const staging = every(3 * hourMs, now - 9 * dayMs, now - dayMs, () => ({ environment: 'staging' }))
  const production = every(20 * minuteMs, now - 5 * hourMs, now, index => ({ user: `u${index}` }))

  test('is named with the one before', () => {
    expect(say([...staging, ...production])).toMatch(/^Reached production 4 h ago; before only in staging/)
  })

  test('that was always there is none, and few events say nothing', () => {
    const both = every(3 * hourMs, now - 9 * dayMs, now, index => ({
      environment: index % 2 ? 'staging' : 'production',
    }))
    expect(say(both)).toBe('')
    expect(say([...staging, ...production.slice(0, 4)])).toBe('')
  })
})

describe('deploy skew', () => {
  const stale = every(5 * minuteMs, now - 2 * hourMs, now, index => ({ user: `u${index}`, release: 'shop@1' }))
  const starts = [deploy('shop@1', 9 * dayMs), deploy('shop@2', 2 * hourMs + 5 * minuteMs)]

  test('says which deploy left the tabs behind', () => {
    expect(say(stale, { starts, insight: 'skew' })).toBe(
      '100 % from tabs older than shop@2, deployed 7 m before the first one.',
    )
  })

  test('is not claimed of other errors, nor of tabs of the newest release', () => {
    expect(say(stale, { starts })).toBe('')
    const current = stale.map(event => ({ ...event, release: 'shop@2' }))
    expect(say(current, { starts, insight: 'skew', usual: usualOf({}) })).not.toContain('tabs')
  })
})
