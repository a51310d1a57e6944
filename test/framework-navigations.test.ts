/**
 * The state of each navigation in the recorded apps. The expected ones were written by hand, from what the visitor did and the browser
 * sent.
 */
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { summarizeRoute } from '#domain/routes/summarize-route.ts'
import { rollUpRoutes } from '#react/route-rollup.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { listFrameworkApps, readFrameworkCaptures } from './read-framework-captures.ts'

const item = '/items/[id]'
const nested = '/shop/[category]/items/[id]'
const leaf = '/[category]/items/[id]'
/** Navigations of a scenario by route. Those to a URL without a route are not counted. */
const expected: Record<string, Record<string, string>> = {
  'pages-loader-404': { '/loader-404': 'fetched 1' },
  'pages-loader-error': { '/loader-error': 'fetched 1' },
  'pages-redirect': { '/loader-redirect': 'fetched 1', [item]: 'fetched 1' },
  'pages-slow': { '/slow': 'fetched 1' },
  // Docs is a static page.
  'pages-soft-nav': { [item]: 'fetched 2', '/shop/[category]/[id]': 'fetched 1', '/docs/[[...slug]]': 'none 1' },
  'remix-control-flow': { [item]: 'unknown 1' },
  'remix-prefetch-nav': { [item]: 'unknown 1' },
  'remix-soft-nav': { [item]: 'unknown 2', [nested]: 'unknown 1' },
  'rr-action-error': { '/action': 'fetched 1' },
  'rr-action-ok': { '/action': 'fetched 1' },
  'rr-client-loader-error': { '/client-loader-error': 'none 1' },
  'rr-deferred': { '/deferred': 'fetched 1' },
  'rr-loader-404-soft': { '/loader-404': 'fetched 1' },
  'rr-loader-error-soft': { '/loader-error': 'fetched 1' },
  'rr-nav-cancelled': { [item]: 'fetched 1' },
  'rr-not-found': { '/nowhere/at/all': 'none 1' },
  // The prefetched data could not be cached, so the click fetched it again.
  'rr-prefetch-nav': { [item]: 'fetched 1' },
  'rr-slow': { '/slow': 'fetched 1' },
  'rr-soft-nav': { [item]: 'fetched 1', [leaf]: 'fetched 1', '/docs/[...]': 'fetched 1' },
  'rr2-soft-error': { [item]: 'fetched 1', [leaf]: 'fetched 1' },
  'rr3-action-ok': { '/action': 'fetched 1' },
  'rr3-client-loader-error': { '/client-loader-error': 'none 1' },
  'rr3-loader-error-soft': { '/loader-error': 'fetched 1' },
  'rr3-prefetch-nav': { [item]: 'fetched 1' },
  'rr3-redirect-soft': { [item]: 'fetched 1' },
  // Back to an item fetches it again.
  'rr3-soft-nav': { [item]: 'fetched 2', [nested]: 'fetched 1', '/docs/[...]': 'fetched 1' },
  'rr3-thrown-responses-soft': {
    ...{ '/loader-404': 'fetched 1', '/loader-500': 'fetched 1', '/loader-data-404': 'fetched 1' },
  },
  // Back to the first page, which has no loader; while it was shown, the browser prefetched an item.
  'rr3b-soft-error': { [item]: 'fetched 1', '/': 'none 1', [nested]: 'fetched 1' },
  'tss-action-redirect': { [item]: 'fetched 1' },
  'tss-deferred': { '/deferred': 'fetched 1' },
  'tss-loader-404': { '/loader-404': 'fetched 1' },
  'tss-loader-error-soft': { '/loader-error': 'fetched 1' },
  // Preloaded while the pointer was over the link, so nothing was left to fetch.
  'tss-prefetch-nav': { [item]: 'none 1' },
  'tss-redirect': { [item]: 'fetched 1' },
  'tss-skew-route': { '/docs/[...]': 'none 1' },
  'tss-slow': { '/slow': 'fetched 1' },
  'tss-soft-nav': { [item]: 'fetched 2', [nested]: 'none 1', '/docs/[...]': 'none 1' },
  'tss2-action-redirect': { [item]: 'fetched 1' },
  'tss2-loader-404': { '/loader-404': 'fetched 1' },
  'tss2-loader-error-soft': { '/loader-error': 'fetched 1' },
  'tss2-redirect': { [item]: 'fetched 1' },
  'tss2-skew-route': { '/docs/[...]': 'none 1' },
  // Fetched in effects, for all that the SDK of React knows.
  'vite-soft-nav': { [item]: 'unknown 2', [nested]: 'unknown 1', '/docs': 'unknown 1' },
}

const spansOf = (scenario: string, records: Parameters<typeof processRecord>[0][]): SpanRow[] =>
  records.flatMap(record => {
    const context = { recordId: scenario, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    return processRecord(record, context).rows.spans ?? []
  })
const recorded = listFrameworkApps().flatMap(app =>
  Array.from(readFrameworkCaptures(app), ([scenario, records]) => ({ scenario, spans: spansOf(scenario, records) })),
)

function arrivalsIn(spans: readonly SpanRow[]) {
  const sums = rollUpRoutes(spans, []).map(({ bin_counts: counts, ...sum }) => ({ ...sum, counts }))
  return Array.from(
    Map.groupBy(sums, ({ route }) => route),
    ([route, own]) => ({ route, ...summarizeRoute(own) }),
  )
}

test('each recorded navigation is counted as what it was', () => {
  const counted = recorded.flatMap(({ scenario, spans }) => {
    const routes = arrivalsIn(spans).flatMap(({ route, arrivals: { cold: fetched, ...others } }) => {
      const states = Object.entries({ fetched, ...others }).filter(([, count]) => count > 0)
      return states.length === 0 ? [] : [[route, states.map(([state, count]) => `${state} ${count}`).join(', ')]]
    })
    return routes.length === 0 ? [] : [[scenario, Object.fromEntries(routes)]]
  })
  expect(Object.fromEntries(counted)).toEqual(expected)
})

/** Route discovery, which reads no data. */
const noData = /\/__manifest\?/

test('a route never contradicts the traces of its navigations', () => {
  const wrong: string[] = []
  for (const { scenario, spans } of recorded)
    for (const { route, arrivals } of arrivalsIn(spans)) {
      const navigations = spans.filter(span => span.is_segment && span.op === 'navigation' && span.route === route)
      const fetching = navigations.filter(({ segment_id }) =>
        spans.some(span => span.segment_id === segment_id && span.op === 'http.client' && !noData.test(span.url)),
      )
      const { cold, unknown, none, cached, prefetched } = arrivals
      if (cold > fetching.length) wrong.push(`${scenario} ${route}: fetched, without a request in its trace`)
      if (none + cached + prefetched > navigations.length - fetching.length)
        wrong.push(`${scenario} ${route}: not fetched, with a request in its trace`)
      if (cold + unknown + none + cached + prefetched !== navigations.length)
        wrong.push(`${scenario} ${route}: not all navigations are counted`)
    }
  expect(wrong).toEqual([])
})

test('prefetches of the browser are counted without saying that they were used or wasted', () => {
  const spans = recorded.find(({ scenario }) => scenario === 'rr-prefetch-nav')?.spans ?? []
  const { prefetches } = arrivalsIn(spans).find(({ route }) => route === item) ?? {}
  expect(prefetches).toMatchObject({ sent: 0, used: 0, wasted: 0 })
  expect(prefetches?.byBrowser).toBeGreaterThan(0)
})
