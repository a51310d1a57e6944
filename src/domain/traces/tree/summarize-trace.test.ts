import { expect, it, test } from 'vitest'
import { buildTraceTree } from './build-trace-tree.ts'
import { findOwnHost, nameRequest, summarizeTrace, vitalMarks } from './summarize-trace.ts'
import type { TraceSpan } from './trace-span.ts'

const span = (id: string, startMs: number, durationMs: number, more: Partial<TraceSpan> = {}): TraceSpan => ({
  id,
  parentId: '',
  segmentId: '',
  isSegment: true,
  segmentName: '',
  startUs: startMs * 1e3,
  durationUs: durationMs * 1e3,
  name: id,
  op: 'http.server',
  side: 'server',
  projectId: 1,
  clock: '',
  path: '',
  isFailed: false,
  isPrefetch: false,
  isSdkTransport: false,
  isUnclocked: false,
  ...more,
})

test('the main span is the longest page view or request, and overlapping requests count once', () => {
  const query = { isSegment: false, parentId: 'b', op: 'db' }
  const spans = [
    span('a', 10, 50),
    span('b', 20, 100),
    span('q', 30, 5, query),
    span('r', 40, 7, { ...query, isFailed: true }),
  ]
  const summary = summarizeTrace(buildTraceTree(spans).roots)
  expect(summary.main?.id).toBe('b')
  expect(summary).toMatchObject({
    serverUs: 110_000,
    queryCount: 2,
    queryUs: 12_000,
    failedCount: 1,
    sides: ['server'],
  })
})

test('a request whose caller sends no spans is the main span, not the parent that is missing', () => {
  const spans = [
    span('POST /post', 10, 50, { parentId: 'caller' }),
    span('q', 20, 5, { isSegment: false, parentId: 'POST /post', op: 'db' }),
  ]
  const { roots } = buildTraceTree(spans)
  expect(roots[0]?.kind).toBe('missing')
  expect(summarizeTrace(roots).main?.name).toBe('POST /post')
})

test('vitals are placed at their time on the corrected clock', () => {
  const load = span('p', 100, 900, { op: 'pageload', side: 'browser', clock: 'browser' })
  const click = span('i', 5_000, 90, { op: 'ui.interaction.click', side: 'browser', clock: 'browser' })
  const measured = [
    {
      id: 'p',
      vitals: new Map([
        ['lcp', 616],
        ['cls', 0.3],
        ['unknown', 1],
      ]),
    },
    { id: 'i', vitals: new Map([['inp', 240]]) },
    { id: 'gone', vitals: new Map([['fcp', 1]]) },
  ]
  expect(vitalMarks([load, click], measured, new Map([['browser', 10_000]]))).toEqual([
    { name: 'lcp', label: 'LCP', value: 616, rating: 'good', atUs: 726_000 },
    { name: 'inp', label: 'INP', value: 240, rating: 'middle', atUs: 5_100_000 },
    { name: 'cls', label: 'CLS', value: 0.3, rating: 'poor', atUs: null },
  ])
})

const shop = 'localhost:3000'
const nameOf = (name: string, url: string) => nameRequest({ name, method: 'GET', url }, shop)

it('a request is named by method and path, with the host if it is not the app’s own', () => {
  expect(nameOf('GET localhost', 'http://localhost:3000/api/items/7?page=2#top')).toBe('GET /api/items/7')
  expect(nameOf('GET', 'http://localhost:3000')).toBe('GET /')
  expect(nameOf('GET https://stock.example/v1', 'https://ada:secret@Stock.example/v1')).toBe('GET stock.example/v1')
  expect(nameRequest({ name: 'POST localhost', method: '', url: 'http://localhost:3000/cart' }, shop)).toBe(
    'POST /cart',
  )
})

it('a file that a page loads is named by its path', () => {
  const url = 'http://localhost:3000/_next/static/chunks/3u44.js'
  expect(nameRequest({ name: 'localhost', method: '', url }, shop)).toBe('/_next/static/chunks/3u44.js')
})

it('a better name stays, and so does the name of a request without URL', () => {
  expect(nameOf('GET /items/{id}', 'http://localhost:3000/items/7')).toBeNull()
  expect(nameOf('GET localhost', '')).toBeNull()
  expect(nameOf('GET localhost', '/items/7')).toBeNull()
})

it('the app’s own host is that of the first segment, else the only requested one', () => {
  expect(findOwnHost(['/cart', 'https://shop.example/cart'], ['https://api.example/a'])).toBe('shop.example')
  expect(findOwnHost([], ['http://localhost:3000/a', 'http://localhost:3000/b'])).toBe('localhost:3000')
  expect(findOwnHost([], ['https://a.example/', 'https://b.example/'])).toBe('')
})
