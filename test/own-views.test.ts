/** What Hydrant reports of its own pages, read as the spans of any app are. */
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { summarizeRoute } from '#domain/routes/summarize-route.ts'
import { rollUpRoutes } from '#react/route-rollup.ts'
import { type OwnView, viewEnvelope } from '#web/self-report/view-spans.ts'

const at = Date.parse('2026-11-19T12:00:00Z')
const view: OwnView = {
  kind: 'navigation',
  route: '/[org]/issues/[issueId]',
  isTraverse: false,
  ...{ from: at, to: at + 4_000, vitals: {}, fetches: [] },
}
let ids = 0
const randomHex = (bytes: number): string => (++ids).toString(16).padStart(bytes * 2, '0')

function read(views: readonly OwnView[]) {
  const spans = views.flatMap(each => {
    const body = Buffer.from(viewEnvelope('http://0123456789abcdef0123456789abcdef@h.example/1', each, randomHex))
    const head = { projectId: 1, keyId: 1, receivedAt: each.to, clientAddress: '203.0.113.7', userAgent: '' }
    const context = { recordId: String(++ids), retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    return processRecord({ head, body }, context).rows.spans ?? []
  })
  const sums = rollUpRoutes(spans, []).map(({ bin_counts: counts, ...sum }) => ({ ...sum, counts }))
  return { spans, routes: Map.groupBy(sums, ({ route }) => route) }
}

test('a page load has its vitals, and a navigation says what the router fetched and whether it took over 3.8 s', () => {
  const fetches = [{ from: at + 10, to: at + 3_900, bytes: 12_000 }]
  const { spans, routes } = read([
    { ...view, fetches },
    { ...view, to: at + 100 },
    { ...view, to: at + 100, isTraverse: true },
    { ...view, kind: 'pageload', to: at + 900, vitals: { ttfb: 120, fcp: 300 } },
  ])
  expect([...routes.keys()]).toEqual(['/[org]/issues/[issueId]'])
  const route = summarizeRoute(routes.get('/[org]/issues/[issueId]') ?? [])
  expect(route).toMatchObject({
    ...{ pageLoads: 1, navigations: 3, slowLoads: { page: 0, navigation: 1 } },
    arrivals: { cold: 1, cached: 1, prefetched: 0, none: 1, unknown: 0 },
    fetches: { count: 1, meanBytes: 12_000 },
  })
  expect([route.vitals.ttfb.hard.count, route.vitals.fcp.hard.count]).toEqual([1, 1])
  expect(spans.every(({ url }) => !url.includes('acme'))).toBe(true)
})
