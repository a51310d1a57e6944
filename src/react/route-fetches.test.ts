import { expect, it } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { listCaptures, readCapture } from '../../test/read-capture.ts'
import { routeFetches } from './route-fetches.ts'
import { rollUpRoutes } from './route-rollup.ts'
import type { RouteSpan } from './route-sample.ts'
import type { TraceState } from './trace-state.ts'

const nothing: RouteSpan = {
  project_id: 1,
  timestamp: 1_794_700_000_000_000,
  duration_us: 60_000,
  retention_days: 30,
  weight: 1,
  client_sample_rate: 1,
  trace_id: 'a'.repeat(32),
  segment_id: '1',
  is_segment: false,
  op: '',
  origin: '',
  method: '',
  status: 'ok',
  environment: '',
  release: '',
  route: '/items/[id]',
  status_code: 0,
  url: '',
  is_prefetch: false,
  is_sdk_transport: false,
  sdk_name: 'sentry.javascript.nextjs',
  os_name: '',
  device: '',
  attributes: {},
  numbers: {},
}
const shop = 'https://shop.example.com'
const navigation = (type = 'router.push'): RouteSpan => ({
  ...nothing,
  op: 'navigation',
  is_segment: true,
  attributes: { 'navigation.type': type },
})
const pageLoad: RouteSpan = { ...nothing, op: 'pageload', is_segment: true }
const fetched = (path: string): RouteSpan => ({ ...nothing, op: 'http.client', url: `${shop}${path}` })
const prefetched = (path: string, part?: string): RouteSpan => ({
  ...nothing,
  op: 'http.server',
  is_segment: true,
  is_prefetch: true,
  segment_id: `${path} ${part}`,
  url: `${shop}${path}`,
  attributes: part === undefined ? {} : { 'http.request.header.next-router-segment-prefetch': part },
})

/** Counts by `measure detail` over consecutive batches. */
function countIn(...batches: RouteSpan[][]): Record<string, number> {
  const known = new Map<string, TraceState>()
  const counts: Record<string, number> = {}
  for (const spans of batches) {
    const { measurements, traces } = routeFetches(spans, known)
    // The state is stored as JSON in the control database.
    for (const [key, state] of traces) known.set(key, JSON.parse(JSON.stringify(state)))
    for (const { route, measure, detail, count } of rollUpRoutes(spans, [], measurements)) {
      const key = `${route} ${measure} ${detail}`.trim()
      counts[key] = (counts[key] ?? 0) + count
    }
  }
  return counts
}

const withoutRoute = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).map(([key, count]) => [key.replace('/items/[id] ', ''), count] as const))

it('the tree of a page and the page itself count as one prefetch, in one batch or two', () => {
  const [tree, whole] = [prefetched('/items/7?_rsc=a', '/_tree'), prefetched('/items/7?_rsc=b')]
  for (const batches of [[[tree, whole]], [[tree], [whole]], [[whole], [tree]]])
    expect(withoutRoute(countIn(...batches))).toEqual({ prefetch: 1 })
  expect(withoutRoute(countIn([tree], [{ ...whole, trace_id: 'b'.repeat(32) }]))).toEqual({ prefetch: 2 })
  expect(withoutRoute(countIn([tree], [prefetched('/items/8?_rsc=b')]))).toEqual({ prefetch: 2 })
})

it('a prefetch is one of the router where it prefetches pages, and otherwise one of the browser', () => {
  expect(withoutRoute(countIn([prefetched('/items/7')]))).toEqual({ prefetch: 1 })
  for (const sdk_name of ['sentry.javascript.react-router', 'sentry.javascript.node'])
    expect(withoutRoute(countIn([{ ...prefetched('/items/7'), sdk_name }]))).toEqual({ 'prefetch browser': 1 })
})

it('a navigation whose requests arrive in two batches is cold once', () => {
  const [one, two] = [fetched('/items/7?_rsc=a'), fetched('/items/7/reviews?_rsc=b')]
  const expected = { 'navigation push': 1, 'fetch rsc': 2, 'cold push': 1 }
  for (const batches of [
    [[one, two, navigation()]],
    [[one], [two, navigation()]],
    [[one], [two], [navigation()]],
    [[navigation()], [one], [two]],
    [[one, navigation()], [two]],
  ])
    expect(withoutRoute(countIn(...batches))).toEqual(expected)
})

it('the segment marks a back navigation, however late it arrives', () => {
  const back = navigation('router.traverse')
  for (const batches of [
    [[fetched('/items/7?_rsc=a')], [back]],
    [[back], [fetched('/items/7?_rsc=a')]],
  ])
    expect(withoutRoute(countIn(...batches))).toEqual({ 'navigation back': 1, 'fetch rsc': 1, 'cold back': 1 })
})

it('a page that refreshes itself while it loads is not a navigation, even if its segment arrives later', () => {
  const refresh = fetched('/items/7?_rsc=a')
  for (const batches of [[[refresh, pageLoad]], [[refresh], [pageLoad]], [[pageLoad], [refresh]]])
    expect(withoutRoute(countIn(...batches))).toEqual({ page_load: 1 })
})

it('a request that is repeated in a later batch is a retry', () => {
  const data = () => fetched('/_next/data/build/legacy/old.json')
  const expected = { 'navigation push': 1, 'fetch data': 3, 'cold push': 1, 'retry data': 2, 'retried data': 1 }
  expect(withoutRoute(countIn([data(), data(), data(), navigation()]))).toEqual(expected)
  expect(withoutRoute(countIn([data()], [data(), data()], [navigation()]))).toEqual(expected)
  expect(withoutRoute(countIn([data()], [pageLoad, data()]))).toEqual({
    ...{ page_load: 1, 'retry data': 1, 'retried data': 1 },
  })
})

it('a data request after a failed one is a retry in every framework, but the second one after an action is not', () => {
  const requests = {
    'sentry.javascript.nextjs': '/_next/data/build/items/7.json',
    'sentry.javascript.react-router': '/items/7.data?_routes=item',
    'sentry.javascript.remix': '/items/7?_data=routes%2Fitem',
    'sentry.javascript.tanstackstart-react': '/_serverFn/c6ac',
  }
  for (const [sdk_name, path] of Object.entries(requests)) {
    const view = { ...navigation(), sdk_name }
    const attempt = (status_code: number): RouteSpan => ({
      ...fetched(path),
      ...{ sdk_name, status_code, status: status_code < 400 ? 'ok' : 'error' },
    })
    const counts = (...batches: RouteSpan[][]) => {
      const {
        'retry data': retry = 0,
        'retried data': retried = 0,
        'fetch data': fetch = 0,
      } = withoutRoute(countIn(...batches))
      return [sdk_name, fetch, retried, retry]
    }
    expect(counts([attempt(503), attempt(503), attempt(200), view])).toEqual([sdk_name, 3, 1, 2])
    expect(counts([attempt(503)], [attempt(200)], [view])).toEqual([sdk_name, 2, 1, 1])
    if (sdk_name !== 'sentry.javascript.nextjs')
      expect(counts([attempt(200), attempt(200), view])).toEqual([sdk_name, 2, 0, 0])
  }
})

it('page loads and navigations over 3.8 s are counted apart', () => {
  const slow = { duration_us: 3_900_000 }
  expect(withoutRoute(countIn([{ ...navigation(), ...slow }]))).toEqual({ 'navigation push': 1, slow_load: 1 })
  expect(withoutRoute(countIn([{ ...pageLoad, ...slow }]))).toEqual({ page_load: 1, 'slow_load pageload': 1 })
})

it('fetches outside of page views, or whose segment never arrives, are not counted', () => {
  const click: RouteSpan = { ...nothing, op: 'ui.action.click', is_segment: true }
  expect(withoutRoute(countIn([fetched('/items/7?_rsc=a'), click]))).toEqual({})
  expect(withoutRoute(countIn([fetched('/items/7?_rsc=a')]))).toEqual({})
})

it('the given state is not changed, so that a batch can be processed again', () => {
  const { traces } = routeFetches([fetched('/items/7?_rsc=a')])
  const before = structuredClone(traces)
  const once = routeFetches([navigation()], traces)
  expect(traces).toEqual(before)
  expect(routeFetches([navigation()], traces)).toEqual(once)
})

it('a recorded visit gives the same sums wherever it is split, in either order', () => {
  for (const scenario of ['next-navigation', 'next-server-action']) {
    const spans = listCaptures(scenario).flatMap(name => {
      const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      return processRecord(readCapture(name), context).rows.spans ?? []
    })
    const whole = countIn(spans)
    for (let cut = 0; cut <= spans.length; cut += 3) {
      const [first, second] = [spans.slice(0, cut), spans.slice(cut)]
      expect(countIn(first, second), `${scenario} at ${cut}`).toEqual(whole)
      expect(countIn(second, first), `${scenario} at ${cut}, reversed`).toEqual(whole)
    }
    expect(countIn(...spans.map(span => [span]))).toEqual(whole)
  }
})
