import { describe, expect, test } from 'vitest'
import { formatFinding } from '#ui/finding/format-finding.ts'
import { dayMs, every, hourMs, makeFacts, now, usualOf } from '../../../../test/make-issue-facts.ts'
import { describeIssue } from './find-issue-finding.ts'

const say = (...facts: Parameters<typeof makeFacts>) => formatFinding(describeIssue(makeFacts(...facts)))
const tagged = (tags: (index: number) => Record<string, string>, step = hourMs) =>
  every(step, now - 9 * dayMs, now, index => ({ user: `u${index}`, tags: tags(index) }))
const usual = usualOf({ plan: { business: 0.58, free: 0.42 }, 'browser.name': { Chrome: 0.7, Safari: 0.3 } })

describe('a tag value far from its usual share', () => {
  test('is said with both shares, and leads to the events that have it', () => {
    const events = tagged(() => ({ plan: 'business' }))
    expect(say(events, { usual })).toBe('100 % on plan:business (usual 58 %).')
    expect(describeIssue(makeFacts(events, { usual }))[0]?.evidence).toEqual({
      kind: 'events',
      key: 'plan',
      value: 'business',
      isNegated: false,
    })
  })

  test('with the usual share is nothing', () => {
    expect(
      say(
        tagged(index => ({ plan: index % 5 < 3 ? 'business' : 'free' })),
        { usual },
      ),
    ).toBe('')
  })

  test('of few events, or of one user’s many, is nothing', () => {
    const business = () => ({ plan: 'business' })
    expect(say(tagged(business).slice(0, 20), { usual })).toBe('')
    const three = every(hourMs, now - 9 * dayMs, now, index => ({ user: `u${index % 3}`, tags: business() }))
    expect(say(three, { usual })).toBe('')
  })

  test('needs to know what is usual', () => {
    const events = tagged(() => ({ plan: 'business' }))
    expect(say(events)).toBe('')
    expect(say(events, { usual: usualOf({ plan: { business: 0.1 } }, 50) })).toBe('')
    expect(say(events, { usual: usualOf({ other: { x: 1 } }) })).toBe('')
  })

  test('that only some events have says nothing about all of them', () => {
    expect(
      say(
        tagged((index): Record<string, string> => (index % 2 ? { plan: 'business' } : {})),
        { usual },
      ),
    ).toBe('')
  })

  test('that its project never names frequently has at most the share of the least frequent one', () => {
    const cut = new Map([
      [
        'tenant',
        {
          size: 5_000,
          values: new Map([
            ['a', 0.6],
            ['b', 0.4],
          ]),
          isCut: true,
        },
      ],
    ])
    const events = tagged(() => ({ tenant: 'c' }))
    expect(say(events, { usual: cut })).toBe('100 % on tenant:c (usual 40 %).')
  })

  test('an event of a sample weighs as much as those that it represents', () => {
    const events = tagged(index => ({ plan: index % 2 ? 'business' : 'free' })).map(event => ({
      ...event,
      weight: event.tags?.plan === 'business' ? 20 : 1,
    }))
    expect(say(events, { usual })).toBe('95 % on plan:business (usual 58 %).')
  })
})

describe('the share of a release', () => {
  const usual = usualOf({ release: { 'shop@1.1.0': 0.87, 'shop@1.0.0': 0.13 } })
  const deployedAt = now - 20 * hourMs
  const over = (from: number, releaseAt: (at: number) => string) =>
    every(10 * 60_000, from, now, index => ({ user: `u${index}` })).map(event => {
      const release = releaseAt(event.at)
      return { ...event, release, tags: { release, dist: release } }
    })

  test('of many days is not compared with the usual one of a day', () => {
    const inOrder = (at: number) => (at >= deployedAt ? 'shop@1.1.0' : 'shop@1.0.0')
    expect(say(over(now - 4 * dayMs, inOrder), { usual })).toBe('')
    expect(
      say(
        over(now - 4 * dayMs, () => 'shop@1.0.0'),
        { usual },
      ),
    ).toBe('100 % on release:shop@1.0.0 (usual 13 %).')
  })

  test('of a day is', () => {
    const events = over(now - 23 * hourMs, () => 'shop@1.0.0')
    expect(say(events, { usual })).toBe('100 % on release:shop@1.0.0 (usual 13 %).')
  })
})

test('a value that the issue lacks although it is frequent', () => {
  const values = usualOf({ 'browser.name': { Chrome: 0.4, Firefox: 0.35, Safari: 0.25 } })
  const events = tagged(index => ({ 'browser.name': index % 2 ? 'Chrome' : 'Firefox' }))
  expect(say(events, { usual: values })).toBe('Never on browser.name:Safari (usual 25 %).')
  expect(describeIssue(makeFacts(events, { usual: values }))[0]?.evidence).toMatchObject({ isNegated: true })
  expect(say(events.slice(0, 30), { usual: values })).toBe('')
})

test('one tag is said once, whoever named it, and what the code decides is not said', () => {
  const events = tagged(() => ({ browser: 'Safari 26', 'browser.name': 'Safari', level: 'error', handled: 'no' }))
  const values = usualOf({
    browser: { 'Chrome 143': 0.7, 'Safari 26': 0.3 },
    'browser.name': { Chrome: 0.7, Safari: 0.3 },
    level: { error: 0.1, warning: 0.9 },
    handled: { no: 0.1, yes: 0.9 },
  })
  expect(describeIssue(makeFacts(events, { usual: values }))).toHaveLength(1)
  expect(say(events, { usual: values })).toMatch(/^100 % on browser(\.name)?:Safari/)
})

test('the route is said only if nothing else is, and not if the heading names it', () => {
  const values = usualOf({ route: { '/': 0.9, '/checkout': 0.1 }, plan: { business: 0.58, free: 0.42 } })
  const here = tagged(() => ({ route: '/checkout' }))
  expect(say(here, { usual: values })).toBe('100 % on route:/checkout (usual 10 %).')
  expect(say(here, { usual: values, culprit: 'POST /checkout' })).toBe('')
  expect(
    say(
      tagged(() => ({ route: '/checkout', plan: 'business' })),
      { usual: values },
    ),
  ).toContain('plan:business')
})

test('of a hydration error, the locale, time zone or browser says more than another tag', () => {
  const values = usualOf({ locale: { 'en-US': 0.6, 'de-DE': 0.4 }, tenant: { a: 0.05, b: 0.95 } })
  const events = tagged(() => ({ locale: 'de-DE', tenant: 'a' }))
  expect(say(events, { usual: values })).toBe('100 % on tenant:a (usual 5 %).')
  expect(say(events, { usual: values, insight: 'hydration' })).toBe('100 % on locale:de-DE (usual 40 %).')
})

describe('one user', () => {
  test('is said of all events', () => {
    const events = every(hourMs / 2, now - 9 * dayMs, now, () => ({ user: 'one', tags: { plan: 'business' } }))
    expect(say(events, { usual })).toBe('All 432 events come from one user.')
  })

  test('is not said of events without users, nor of few', () => {
    expect(say(every(hourMs, now - 9 * dayMs, now))).toBe('')
    expect(say(every(dayMs, now - 9 * dayMs, now, () => ({ user: 'one' })))).toBe('')
  })

  test('with more events than were read, only those are spoken of', () => {
    const events = every(hourMs / 8, now - 9 * dayMs, now, () => ({ user: 'one' }))
    expect(say(events)).toBe('All the newest 1,000 events come from one user.')
  })
})

test('what changed comes first, then for whom; a release is not both', () => {
  const steady = every(hourMs / 10, now - 10 * dayMs, now, index => ({
    user: `u${index}`,
    release: 'shop@1',
    tags: { plan: 'business', release: 'shop@1' },
  }))
  const more = every(hourMs / 30, now - 3 * hourMs, now, index => ({
    user: `v${index}`,
    release: 'shop@2',
    tags: { plan: 'business', release: 'shop@2' },
  }))
  const starts = [{ version: 'shop@2', at: now - 3 * hourMs, isDeploy: true, environment: 'production' }]
  expect(say([...steady, ...more], { starts, usual })).toBe(
    '4× more since shop@2, deployed 3 h ago; ≈ 100 % on plan:business (usual 58 %).',
  )
})

test('with more events than were read, shares are approximate and nothing is never', () => {
  const plans = tagged(() => ({ plan: 'business' }), hourMs / 8)
  expect(say(plans, { usual })).toBe('≈ 100 % on plan:business (usual 58 %).')
  const values = usualOf({ 'browser.name': { Chrome: 0.4, Firefox: 0.35, Safari: 0.25 } })
  const browsers = tagged(index => ({ 'browser.name': index % 2 ? 'Chrome' : 'Firefox' }), hourMs / 8)
  expect(say(browsers, { usual: values })).toBe('None of the newest 1,000 events on browser.name:Safari (usual 25 %).')
})
