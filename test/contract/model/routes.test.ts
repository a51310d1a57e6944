/** Every number of routes against the truth of the model: views, samples, ratings, steps. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { findRoute } from '#domain/routes/find-route.ts'
import { listRoutes } from '#domain/routes/list-routes.ts'
import { countRouteErrors, measureRoute } from '#domain/routes/measure-route.ts'
import { routeRange } from '#domain/routes/route-sums.ts'
import type { RouteSummary } from '#domain/routes/summarize-route.ts'
import { createIds } from '../../create-ids.ts'
import { createRandom, type Random } from '../../fuzz/random.ts'
import { viewAs } from '../../view-as.ts'
import { onEachEngine } from '../on-each-engine.ts'
import { startTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { makeWorld, startedAt, type World } from '../workflow-world.ts'
import { dayMs, hourMs } from './generate.ts'
import { createModelDigest, type Delivery } from './model-world.ts'

const seed = Number(process.env.HYDRANT_SEED ?? 11)
const now = startedAt + 17 * 60_000 + 123
const newId = createIds('model of routes')
const routes = ['/', '/items/[id]', '/cart', '/account/[[...tab]]']

type View = { at: number; route: string; lcp: number; rate: number; release: string; environment: string }
type Failure = { at: number; route: string; environment: string }

let store: TelemetryUnderTest
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt })
  store = await startTelemetry()
})
afterAll(async () => {
  vi.useRealTimers()
  await store?.stop()
})

function generateViews(random: Random): View[] {
  // Around the bounds of a good and a poor LCP, where an estimate would be on the wrong side.
  const around = [2_450, 2_500, 2_501, 2_530, 3_990, 4_000, 4_020, 900]
  return Array.from({ length: 400 }, () => {
    const route = random.pick(routes)
    return {
      at: now - random.int(random.pick([3 * hourMs, 26 * hourMs, 9 * dayMs])),
      route,
      lcp: around[(routes.indexOf(route) * 2 + random.int(3)) % around.length] ?? 0,
      rate: random.pick([1, 1, 0.25]),
      release: random.pick(['shop@1', 'shop@2']),
      environment: random.pick(['production', 'staging']),
    }
  })
}

const deliverView = (projectId: number, view: View, lateMs: number): Delivery => {
  const traceId = newId()
  return {
    projectId,
    receivedAt: Math.min(now, view.at + lateMs),
    envelope: {
      event_id: newId(),
      trace: { trace_id: traceId, public_key: 'a'.repeat(32), sample_rate: String(view.rate) },
    },
    items: [
      {
        type: 'transaction',
        payload: {
          type: 'transaction',
          event_id: newId(),
          transaction: view.route,
          transaction_info: { source: 'route' },
          platform: 'javascript',
          release: view.release,
          environment: view.environment,
          start_timestamp: view.at / 1_000,
          timestamp: view.at / 1_000 + 0.5,
          measurements: { lcp: { value: view.lcp, unit: 'millisecond' } },
          contexts: { trace: { trace_id: traceId, span_id: newId().slice(0, 16), op: 'pageload' } },
          spans: [],
        },
      },
    ],
  }
}

const deliverFailure = (projectId: number, failure: Failure): Delivery => ({
  projectId,
  receivedAt: failure.at,
  envelope: {},
  items: [
    {
      type: 'event',
      payload: {
        event_id: newId(),
        timestamp: failure.at / 1_000,
        platform: 'javascript',
        transaction: failure.route,
        environment: failure.environment,
        exception: { values: [{ type: 'Error', value: 'It failed' }] },
      },
    },
  ],
})

onEachEngine(({ newControl, dialect }) => {
  test('routes say what has happened', { timeout: 240_000 }, async () => {
    const random = createRandom(seed)
    const world: World = await makeWorld(await newControl())
    // The telemetry store is shared by both control databases.
    const projectId = dialect === 'sqlite' ? world.web : world.other
    const views = generateViews(random)
    const failures = Array.from({ length: 60 }, () => ({
      at: now - random.int(9 * dayMs),
      route: random.pick(routes),
      environment: random.pick(['production', 'staging']),
    }))
    const digest = createModelDigest(world.control, store)
    const deliveries = [
      ...views.map(view => deliverView(projectId, view, random.chance(0.2) ? 3 * hourMs : 0)),
      ...failures.map(failure => deliverFailure(projectId, failure)),
    ]
      .map(delivery => ({ delivery, key: delivery.receivedAt + random.int(hourMs) }))
      .sort((a, b) => a.key - b.key)
    for (let start = 0; start < deliveries.length; start += 100)
      await digest(deliveries.slice(start, start + 100).map(({ delivery }) => delivery))
    vi.setSystemTime(now)
    const viewer = viewAs({ control: world.control, telemetry: store.telemetry }, { projects: [projectId], now })
    await compare(viewer, views, failures)
  })
})

async function compare(viewer: Viewer, views: readonly View[], failures: readonly Failure[]) {
  const differences: string[] = []
  let compared = 0
  const same = (what: string, shown: unknown, truth: unknown) => {
    if (JSON.stringify(shown) !== JSON.stringify(truth))
      differences.push(`${what}: ${JSON.stringify(shown)} instead of ${JSON.stringify(truth)}`)
  }
  for (const [name, rangeMs] of Object.entries({ '1 h': hourMs, '24 h': dayMs, '7 d': 7 * dayMs, '30 d': 30 * dayMs }))
    for (const environment of [undefined, 'staging']) {
      const filter = { rangeMs, environment }
      const { from } = routeRange(now, filter)
      const within = (each: { at: number; environment: string }) =>
        each.at >= from && each.at <= now && (environment === undefined || each.environment === environment)
      const list = await listRoutes(viewer, filter)
      const errorBars = await countRouteErrors(viewer, filter)
      for (const route of routes) {
        const what = `${name} ${environment ?? 'all'} ${route}`
        const own = views.filter(view => view.route === route && within(view))
        const failed = failures.filter(failure => failure.route === route && within(failure)).length
        const shown = list.find(entry => entry.route === route)
        if (own.length + failed === 0) {
          same(what, shown, undefined)
          continue
        }
        if (!shown) {
          differences.push(`${what} is missing`)
          continue
        }
        const compareSummary = (label: string, summary: RouteSummary, ownViews: readonly View[]) => {
          compared += ownViews.length
          same(`${label}: page loads`, Math.round(summary.pageLoads), sum(ownViews.map(({ rate }) => 1 / rate)))
          same(`${label}: stored page loads`, summary.stored.pageLoads, ownViews.length)
          const truth = weightedP75(ownViews)
          same(`${label}: rating`, summary.vitals.lcp.hard.rating, truth === null ? null : ratingOf(truth))
          const p75 = summary.vitals.lcp.hard.p75
          if (truth !== null && p75 !== null && Math.abs(p75 / truth - 1) > 0.022) same(`${label}: p75`, p75, truth)
        }
        compareSummary(what, shown, own)
        same(`${what}: errors`, shown.errors, failed)
        const bars = errorBars.get(`${shown.projectId} ${route}`) ?? []
        same(`${what}: error bars`, sum(bars), failed)
        const page = await findRoute(viewer, filter, route)
        if (page) {
          compareSummary(`${what} page`, page.summary, own)
          for (const { release, summary } of page.releases)
            if (release !== '')
              compareSummary(
                `${what} ${release}`,
                summary,
                own.filter(view => view.release === release),
              )
        } else differences.push(`${what}: no page`)
        const series = await measureRoute(viewer, filter, route, 'lcp')
        same(`${what}: series`, Math.round(series.count), sum(own.map(({ rate }) => 1 / rate)))
        const lastHour = own.filter(({ at }) => at > now - rangeMs / series.steps.length)
        const last = series.steps.at(-1) ?? null
        const truth = rangeMs <= dayMs ? weightedP75(lastHour) : null
        if (truth !== null && (last === null || Math.abs(last / truth - 1) > 0.05))
          same(`${what}: last step`, last, truth)
      }
    }
  expect(differences.slice(0, 40)).toEqual([])
  expect(compared).toBeGreaterThan(1_000)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const ratingOf = (lcp: number): string => (lcp <= 2_500 ? 'good' : lcp <= 4_000 ? 'middle' : 'poor')

/** The smallest value that three quarters do not exceed. */
function weightedP75(views: readonly View[]): number | null {
  const sorted = views.toSorted((a, b) => a.lcp - b.lcp)
  const total = sum(sorted.map(({ rate }) => 1 / rate))
  let below = 0
  for (const { lcp, rate } of sorted) {
    below += 1 / rate
    if (below >= 0.75 * total) return lcp
  }
  return null
}
