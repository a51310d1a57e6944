import { describe, expect, it } from 'vitest'
import { binOf } from '#lib/log-histogram.ts'
import type { RouteSum } from './route-sums.ts'
import {
  errorRateOf,
  hasOnlyRequests,
  isFailing,
  isHandler,
  measuredLoadsOf,
  needsWork,
  summarizeRoute,
} from './summarize-route.ts'

const sum = (measure: string, detail: string, count: number, value?: number): RouteSum => ({
  measure,
  detail,
  count,
  failed: 0,
  total: (value ?? 0) * count,
  bins: value === undefined ? [] : [binOf(value)],
  counts: value === undefined ? [] : [count],
})

describe('how users reached the page', () => {
  it('a click that fetched nothing used a prefetched or cached page', () => {
    const { arrivals, prefetches } = summarizeRoute([
      sum('navigation', 'push', 10),
      sum('navigation', 'back', 5),
      sum('cold', 'push', 4),
      sum('cold', 'back', 1),
      sum('prefetch', '', 20),
      sum('error', 'skew', 2),
    ])
    expect(arrivals).toEqual({ cold: 5, cached: 4, prefetched: 6, none: 0, unknown: 0 })
    expect(prefetches).toEqual({ sent: 20, used: 6, wasted: 14, byBrowser: 0 })
  })

  it('nothing was prefetched if no prefetch was reported', () => {
    const { arrivals } = summarizeRoute([sum('navigation', 'push', 10), sum('navigation', 'back', 5)])
    expect(arrivals).toEqual({ cold: 0, cached: 5, prefetched: 0, none: 10, unknown: 0 })
  })

  it('what the SDK doesn’t report is not known, with the reason, unless a fetch was seen', () => {
    const { arrivals, whyUnknown, prefetches } = summarizeRoute([
      sum('navigation', 'unknown remix', 6),
      sum('cold', 'unknown remix', 1),
      sum('navigation', 'unknown ', 2),
      sum('navigation', 'nothing', 3),
      sum('cold', 'nothing', 2),
      sum('prefetch', 'browser', 9),
    ])
    expect(arrivals).toEqual({ cold: 3, cached: 0, prefetched: 0, none: 1, unknown: 7 })
    expect(whyUnknown).toEqual([expect.stringContaining('Remix'), expect.stringContaining('The SDK doesn’t say')])
    expect(prefetches).toEqual({ sent: 0, used: 0, wasted: 0, byBrowser: 9 })
    expect(summarizeRoute([sum('navigation', 'nothing', 3)]).whyUnknown).toEqual([])
  })

  it('never counts more arrivals than navigations', () => {
    const { arrivals } = summarizeRoute([sum('navigation', 'back', 3), sum('cold', 'push', 9)])
    expect(arrivals).toMatchObject({ cold: 3, cached: 0, prefetched: 0 })
  })

  it('a request of an older version counts as tried again once for each attempt', () => {
    expect(summarizeRoute([sum('retry', 'data', 2)]).retried).toEqual({ requests: 2, attempts: 4 })
    expect(summarizeRoute([sum('retry', 'data', 2), sum('retried', 'data', 1)]).retried).toEqual({
      ...{ requests: 1, attempts: 3 },
    })
  })
})

it('soft navigations are rated separately from page loads', () => {
  const { vitals } = summarizeRoute([sum('lcp', 'hard', 3, 5_000), sum('lcp', 'soft', 3, 90)])
  expect(vitals.lcp.hard.rating).toBe('poor')
  expect(vitals.lcp.soft.rating).toBe('good')
  expect(vitals.inp.hard).toEqual({ p75: null, rating: null, count: 0 })
})

it('a route without page views is a handler and fails by its requests', () => {
  const handler = summarizeRoute([sum('request', '', 50, 20), sum('status', '5xx', 5)])
  expect(isHandler(handler)).toBe(true)
  expect(isFailing(handler)).toBe(true)
  expect(needsWork(handler)).toBe(false)
  expect(isFailing(summarizeRoute([sum('page_load', '', 1_000, 90), sum('error', '', 3)]))).toBe(false)
  const withoutTraces = summarizeRoute([sum('error', '', 3)])
  expect([isHandler(withoutTraces), isFailing(withoutTraces)]).toEqual([false, false])
})

it('a page that only fails or redirects on the server is a page, and an API route that was opened in a browser is not', () => {
  const failing = summarizeRoute([sum('request', 'document', 8, 20), sum('request', '', 3, 20)])
  const opened = summarizeRoute([sum('request', 'document', 2, 20), sum('request', '', 50, 20)])
  expect([failing, opened].map(isHandler)).toEqual([false, true])
  expect([failing, opened].map(hasOnlyRequests)).toEqual([true, true])
})

describe('the error rate', () => {
  const of = (views: number, errors: number, fivexx = 0) =>
    errorRateOf(
      summarizeRoute([sum('page_load', '', views, 90), sum('error', '', errors), sum('status', '5xx', fivexx)]),
    )

  it('is the share of views that failed, and one failure counts once', () => {
    expect(of(1_000, 30, 20)).toMatchObject({ rate: 0.03, failures: 30, visits: 1_000 })
    expect(of(1_000, 0, 20)?.rate).toBe(0.02)
    expect(of(10, 30)?.rate).toBe(1)
    expect(errorRateOf(summarizeRoute([sum('error', '', 3)]))).toBeNull()
  })

  it('is rated as far as it is sure', () => {
    expect(of(1_000, 8)?.rating).toBe('good')
    expect(of(1_000, 30)?.rating).toBe('middle')
    expect(of(1_000, 100)?.rating).toBe('poor')
    // One of four is no rate.
    expect(of(4, 1)?.rating).toBe('good')
    expect(of(50, 1)?.rating).toBe('good')
  })
})

it('a slow server needs work by the same bounds as the first byte', () => {
  expect(needsWork(summarizeRoute([sum('request', '', 50, 700)]))).toBe(false)
  expect(needsWork(summarizeRoute([sum('request', '', 50, 900)]))).toBe(true)
})

it('page loads are counted by their paints: INP and CLS come again from the same load', () => {
  const route = summarizeRoute([
    sum('page_load', '', 8),
    sum('lcp', 'hard', 7, 900),
    sum('fcp', 'hard', 8, 300),
    sum('inp', 'hard', 12, 40),
    sum('cls', 'hard', 9, 0.1),
    sum('lcp', 'soft', 30, 90),
  ])
  expect(measuredLoadsOf(route)).toBe(8)
  expect(route.vitals.inp.hard.count).toBe(12)
})
