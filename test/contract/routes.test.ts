/** Routes against the real engine: recorded visits of the shop, summed up and asked about. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { rollUpBatch } from '#digest/roll-up-batch.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { countActivity } from '#domain/events/list-rollout.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { findRoute, findRouteProfile } from '#domain/routes/find-route.ts'
import { listPaths } from '#domain/routes/list-paths.ts'
import { listRoutes } from '#domain/routes/list-routes.ts'
import { countRouteErrors, measureRoute } from '#domain/routes/measure-route.ts'
import { listLongFrames, listServerActions, listServerWork } from '#domain/routes/route-spans.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import type { EventRow, RouteRollupRow, SpanRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { listCaptures, readCapture } from '../read-capture.ts'
import { readFrameworkCaptures } from '../read-framework-captures.ts'
import { viewAs } from '../view-as.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

const dayMs = 86_400_000
let store: TelemetryUnderTest
let telemetry: Telemetry
let viewer: Viewer
let spans: SpanRow[]
let rollups: RouteRollupRow[]

beforeAll(async () => {
  store = await borrowTelemetry()
  ;({ telemetry } = store)
  const read = ['next-navigation', 'next-server-action', 'next-hydration', 'next-pageload-param'].map(takeScenario)
  spans = read.flatMap(each => each.rows.spans)
  rollups = read.flatMap(each => rollUpBatch(each))
  await write('spans', spans, 'c:1')
  await write('route_sums', rollups, 'c:1')
  const newest = Math.max(...spans.map(({ timestamp }) => Math.ceil(timestamp / 1e3)))
  viewer = viewAs({ telemetry }, { projects: [42], now: newest + 60_000 })
})

afterAll(() => store?.stop())

function takeScenario(scenario: string) {
  const found: { rows: { spans: SpanRow[]; events: EventRow[] }; groupedEvents: GroupedEvent[] } = {
    rows: { spans: [], events: [] },
    groupedEvents: [],
  }
  for (const name of listCaptures(scenario)) {
    const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    const { rows, groupedEvents } = processRecord(readCapture(name), context)
    found.rows.spans.push(...(rows.spans ?? []))
    found.rows.events.push(...(rows.events ?? []))
    found.groupedEvents.push(...groupedEvents)
  }
  return found
}

async function write<Table extends 'spans' | 'route_sums'>(
  table: Table,
  rows: readonly { spans: SpanRow; route_sums: RouteRollupRow }[Table][],
  batchId: string,
  mayHaveArrived = false,
): Promise<void> {
  const result = await writeBatch(telemetry, { table, rows: rows as never, batchId, mayHaveArrived, isSuspect: false })
  if (result.kind !== 'done') throw new Error(result.message)
}

test('the same routes with the same numbers, by the day and by five minutes', async () => {
  const fine = await listRoutes(viewer, { rangeMs: dayMs })
  const coarse = await listRoutes(viewer, { rangeMs: 30 * dayMs })
  expect(fine).toEqual(coarse)
  expect(fine.map(({ route }) => route)).toEqual(expect.arrayContaining(['/', '/items/[id]', '/action', '/hydration']))
  const items = fine.find(({ route }) => route === '/items/[id]')
  expect(items).toMatchObject({ navigations: 2, arrivals: { cold: 2, prefetched: 0, cached: 0 } })
  expect(items?.vitals.lcp.soft.p75).toBeGreaterThan(100)
  expect(items?.vitals.lcp.soft.rating).toBe('good')
  const home = fine.find(({ route }) => route === '/')
  expect(home?.arrivals).toMatchObject({ cached: 1, cold: 0 })
})

test('a batch that is written again after a crash counts once', async () => {
  const before = await listRoutes(viewer, { rangeMs: dayMs })
  await write('route_sums', rollups, 'c:1', true)
  expect(await listRoutes(viewer, { rangeMs: dayMs })).toEqual(before)
})

test('a mismatch of hydration is an error of its route, in the table and over time', async () => {
  const route = await findRoute(viewer, { rangeMs: dayMs }, '/hydration')
  expect(route?.summary.hydrationFailures).toBeGreaterThan(0)
  expect(route?.summary.errors).toBe(route?.summary.hydrationFailures)
  const listed = (await listRoutes(viewer, { rangeMs: dayMs })).find(each => each.route === '/hydration')
  expect(listed?.errors).toBe(route?.summary.errors)
  const bars = (await countRouteErrors(viewer, { rangeMs: dayMs })).get('42 /hydration') ?? []
  expect(bars.reduce((sum, errors) => sum + errors, 0)).toBe(route?.summary.errors)
})

test('a route belongs to its project: the same pattern in two of them is two routes, until both are asked for', async () => {
  const linked = rollups.filter(({ route }) => route === '/hydration').map(row => ({ ...row, project_id: 43 }))
  await write('route_sums', linked, 'c:2')
  const both = viewAs({ telemetry }, { projects: [42, 43], now: viewer.now })
  for (const rangeMs of [dayMs, 30 * dayMs]) {
    const listed = (await listRoutes(both, { rangeMs })).filter(({ route }) => route === '/hydration')
    expect(listed.map(({ projectId }) => projectId)).toEqual([42, 43])
    expect(listed[0]).toEqual({ ...listed[1], projectId: 42 })
    const errors = await countRouteErrors(both, { rangeMs })
    expect(errors.get('43 /hydration')).toEqual(errors.get('42 /hydration'))
    const one = await findRoute(both, { rangeMs, projectIds: [43] }, '/hydration')
    const merged = await findRoute(both, { rangeMs }, '/hydration')
    expect([one?.projectIds, merged?.projectIds]).toEqual([[43], [42, 43]])
    expect(merged?.summary.errors).toBe(2 * (one?.summary.errors ?? 0))
  }
})

test('one route by release and by device, and over time', async () => {
  const route = await findRoute(viewer, { rangeMs: dayMs }, '/action')
  expect(route?.releases.length).toBeGreaterThan(0)
  expect(route?.devices.map(({ device }) => device)).toContain('desktop')
  const total = route?.devices.reduce((sum, { summary }) => sum + summary.pageLoads, 0)
  expect(total).toBe(route?.summary.pageLoads)
  const course = await measureRoute(viewer, { rangeMs: dayMs }, '/action', 'lcp')
  expect(course.steps).toHaveLength(24)
  expect(course.steps.filter(step => step !== null).length).toBeGreaterThan(0)
  expect(await findRoute(viewer, { rangeMs: dayMs }, '/nowhere')).toBeNull()
})

test('a route in total is the sum of its releases and devices', async () => {
  for (const rangeMs of [dayMs, 30 * dayMs])
    for (const route of ['/action', '/hydration'])
      expect(await findRouteProfile(viewer, { rangeMs }, route)).toEqual(
        (await findRoute(viewer, { rangeMs }, route))?.profile,
      )
  expect(await findRouteProfile(viewer, { rangeMs: dayMs }, '/nowhere')).toBeNull()
})

test('a server action is listed by the name it was wrapped with, with its failures', async () => {
  const actions = await listServerActions(viewer, { rangeMs: dayMs }, '/action')
  expect(actions.find(({ name }) => name === 'submitOrder')).toMatchObject({ isNamed: true, calls: 1, failed: 1 })
  expect(actions.some(({ isNamed, name }) => !isNamed && /^[0-9a-f]{20,}$/.test(name))).toBe(true)
})

test('server functions and actions of other frameworks have their name and file, on the page that called them', async () => {
  const takeRows = (app: string, scenario: string) =>
    (readFrameworkCaptures(app).get(scenario) ?? []).flatMap(record => {
      const context = { recordId: `${app} ${scenario}`, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      return processRecord({ ...record, head: { ...record.head, projectId: 44 } }, context).rows.spans ?? []
    })
  const rows = [
    ...takeRows('tss', 'tss-action-ok'),
    ...takeRows('rr', 'rr-action-ok'),
    ...takeRows('remix', 'remix-action'),
    ...takeRows('tss', 'tss-action-error'),
    ...takeRows('waku', 'waku-action'),
  ]
  // Digest gives a server function the route of the page from its trace.
  await write(
    'spans',
    rows.map(row => (/\/_serverFn\/|\/RSC\/F\//.test(row.url) ? { ...row, route: '/action' } : row)),
    'f:1',
  )
  // It answers 200, and only its error says that it has failed.
  const failures = (readFrameworkCaptures('tss').get('tss-action-error') ?? []).flatMap(record => {
    const context = { recordId: 'failed', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    return processRecord({ ...record, head: { ...record.head, projectId: 44 } }, context).rows.events ?? []
  })
  await writeEvents(telemetry, { rows: failures, batchId: 'f:1', mayHaveArrived: false, isSuspect: false })
  const now = Math.ceil(Math.max(...rows.map(({ timestamp }) => timestamp / 1e3))) + 60_000
  const actions = await listServerActions(
    viewAs({ telemetry }, { projects: [44], now }),
    { rangeMs: 2 * dayMs },
    '/action',
  )
  expect(actions.map(({ name, file, calls, failed }) => [name, file, calls, failed])).toEqual(
    expect.arrayContaining([
      ['save', 'src/routes/action.tsx', 3, 1],
      ['/action', '', 2, 0],
      ['POST', 'routes/action', 2, 1],
      // Waku: the name is in the path.
      ['save', '', 4, 2],
    ]),
  )
  expect(actions.filter(({ isNamed }) => !isNamed)).toEqual([])
})

test('paths without a route, and paths that do not exist, with the page that led to them', async () => {
  const [request] = spans.filter(row => row.is_segment && row.op === 'http.server' && !row.is_prefetch)
  if (request === undefined) throw new Error('no request is recorded')
  const at = (second: number) => ({
    ...request,
    project_id: 45,
    timestamp: viewer.now * 1e3 - second * 1e6,
    is_prefetch: false,
  })
  const referer = 'http.request.header.referer'
  await write(
    'spans',
    [
      {
        ...at(1),
        route: unmatchedRoute,
        status_code: 404,
        url: 'https://shop.example/old?x=1',
        attributes: { [referer]: 'https://shop.example/' },
      },
      {
        ...at(2),
        route: unmatchedRoute,
        status_code: 404,
        url: 'https://shop.example/old',
        attributes: { [referer]: '["https://shop.example/"]' },
      },
      {
        ...at(3),
        route: unmatchedRoute,
        status_code: 404,
        url: '/old',
        attributes: { [referer]: 'https://other.example/list' },
      },
      { ...at(4), route: '/items/[id]', status_code: 404, url: 'https://shop.example/items/9', attributes: {} },
      { ...at(5), route: unmatchedRoute, status_code: 200, url: 'https://shop.example/new', attributes: {} },
      {
        ...at(6),
        route: unmatchedRoute,
        op: 'pageload',
        status_code: 0,
        url: 'https://shop.example/nowhere',
        attributes: {},
      },
      // The SDK of React without a router: no page has a route, whether it exists or not.
      {
        ...at(8),
        route: unmatchedRoute,
        op: 'pageload',
        origin: 'auto.pageload.browser',
        status_code: 0,
        url: 'https://shop.example/somewhere',
        attributes: {},
      },
      {
        ...at(8),
        op: 'pageload',
        route: '/cart',
        span_id: String(BigInt(`0x${'c'.repeat(16)}`)),
        segment_id: String(BigInt(`0x${'c'.repeat(16)}`)),
        status_code: 0,
        url: 'https://shop.example/cart?coupon=1',
        attributes: {},
      },
      {
        ...at(9),
        op: 'navigation',
        route: unmatchedRoute,
        status_code: 0,
        url: 'https://shop.example/nowhere',
        attributes: { 'sentry.previous_trace': `${'d'.repeat(32)}-${'c'.repeat(16)}-1` },
      },
      { ...at(7), route: '/cart', status_code: 200, url: 'https://shop.example/cart', attributes: {} },
    ],
    'p:1',
  )
  const other = viewAs({ telemetry }, { projects: [45], now: viewer.now })
  const list = async (kind: 'unmatched' | 'not-found') =>
    (await listPaths(other, { rangeMs: dayMs }, kind)).map(({ path, from, views, requests }) => [
      path,
      from,
      views,
      requests,
    ])
  expect(await list('unmatched')).toEqual([
    ['/old', '/', 0, 2],
    ['/new', '', 0, 1],
    ['/nowhere', '', 1, 0],
    ['/nowhere', '/cart', 1, 0],
    ['/old', '/list', 0, 1],
    ['/somewhere', '', 1, 0],
  ])
  expect(await list('not-found')).toEqual([
    ['/old', '/', 0, 2],
    ['/items/9', '', 0, 1],
    ['/nowhere', '', 1, 0],
    ['/nowhere', '/cart', 1, 0],
    ['/old', '/list', 0, 1],
  ])
  expect(
    await listPaths(viewAs({ telemetry }, { projects: [7], now: viewer.now }), { rangeMs: dayMs }, 'not-found'),
  ).toEqual([])
})

test('what the server did, without the work for prefetches, and what blocked the page', async () => {
  const work = await listServerWork(viewer, { rangeMs: dayMs }, '/items/[id]')
  const requests = spans.filter(
    row => row.is_segment && row.op === 'http.server' && row.route === '/items/[id]' && !row.is_prefetch,
  )
  expect(work.length).toBeGreaterThan(0)
  expect(Math.max(...work.map(each => each.requests))).toBeLessThanOrEqual(requests.length)
  expect((await listLongFrames(viewer, { rangeMs: dayMs }, '/action')).length).toBeGreaterThan(0)
})

test('routes of projects that are not the viewer’s are not there', async () => {
  const stranger = viewAs({ telemetry }, { projects: [7], now: viewer.now })
  expect(await listRoutes(stranger, { rangeMs: dayMs, projectIds: [42] })).toEqual([])
  expect(await findRoute(stranger, { rangeMs: dayMs }, '/')).toBeNull()
  expect(await listServerWork(stranger, { rangeMs: dayMs }, '/')).toEqual([])
})

test('the page views of a release are as many, from spans by the minute and from sums by the hour', async () => {
  const views = spans.filter(
    ({ is_segment, op, route }) => is_segment && /^(pageload|navigation)$/.test(op) && route !== '',
  )
  const release = views[0]?.release ?? ''
  const span = { projectId: 42, from: viewer.now - 14 * dayMs, to: viewer.now }
  const total = async (stepMs: number) => {
    const rows = await countActivity(viewer, { ...span, stepMs }, release)
    return rows.reduce((sum, { old }) => sum + old, 0)
  }
  expect(await total(60_000)).toBeGreaterThan(0)
  expect(await total(3_600_000)).toBe(await total(60_000))
})
