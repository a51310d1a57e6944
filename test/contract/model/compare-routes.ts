/** Routes: views, samples, web vitals, ratings, requests and errors, in the list, on the page and over time. */
import { listIssues } from '#domain/issues/list-issues.ts'
import { countCutSums } from '#domain/routes/count-cut-sums.ts'
import { findRoute, findRouteProfile } from '#domain/routes/find-route.ts'
import { listRoutes } from '#domain/routes/list-routes.ts'
import { countRouteErrors, measureRoute } from '#domain/routes/measure-route.ts'
import { listLongFrames, listServerActions, listServerWork } from '#domain/routes/route-spans.ts'
import { routeRange } from '#domain/routes/route-sums.ts'
import { searchRoutes } from '#domain/routes/search-routes.ts'
import { type RouteSummary, viewsOf as viewsOfRoute } from '#domain/routes/summarize-route.ts'
import { parseSearch } from '#search/parse-search.ts'
import { isLong } from '../../long.ts'
import { dayMs, hourMs, type ModelEvent, type ModelVisit, routes } from './generate.ts'
import { type Model, sum, viewsOf } from './report.ts'

const stepMs = 300_000
const bucketOf = (at: number): number => Math.floor(at / stepMs) * stepMs
const vitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
/** The thresholds of web.dev, written once more. */
const bounds = {
  lcp: [2_500, 4_000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1_800, 3_000],
  ttfb: [800, 1_800],
} as const
const ratingOf = (name: (typeof vitals)[number], value: number): string =>
  value <= bounds[name][0] ? 'good' : value <= bounds[name][1] ? 'middle' : 'poor'

/** Warnings are no failures of a route. */
const isFailure = ({ level, route }: ModelEvent): boolean => level !== 'warning' && route !== ''

export async function compareRoutes(model: Model): Promise<void> {
  const { viewer, now, events, visits, isWhole, report } = model
  const { same } = report
  const staging = { environment: 'staging' }
  const every: Filter[] = [
    { name: '1 h', rangeMs: hourMs },
    { name: '24 h', rangeMs: dayMs, ...staging },
    { name: '7 d', rangeMs: 7 * dayMs },
    { name: '30 d', rangeMs: 30 * dayMs, ...staging },
  ]
  // What comes later changes errors alone, which every time counts in the same way: the short run has one time of each kind.
  const again = isLong ? /^(24 h|7 d|chosen.*)$/ : /^(7 d|chosen moments of days)$/
  const filters = [...every, ...chosenTimes(now)].filter(({ name }) => isWhole || again.test(name))
  for (const [index, { name, ...filter }] of filters.entries()) {
    const { from, to } = rangeOf(now, filter)
    const isIn = (row: Row, since: number, until: number): boolean =>
      row.at >= since && row.at < until && (filter.environment === undefined || row.environment === filter.environment)
    const within = (row: Row): boolean => isIn(row, from, to)
    const list = await listRoutes(viewer, filter)
    const errorBars = await countRouteErrors(viewer, filter)
    for (const { id: projectId } of viewer.projects)
      for (const route of routes) {
        const what = `${route} in ${name} ${filter.environment ?? 'all'}, project ${projectId}`
        const isHere = (row: ModelVisit | ModelEvent) =>
          row.projectId === projectId && row.route === route && within(row)
        const [own, failed] = [visits.filter(isHere), events.filter(event => isFailure(event) && isHere(event)).length]
        const shown = list.find(entry => entry.route === route && entry.projectId === projectId)
        if (own.filter(({ kind }) => kind !== 'middleware').length + failed === 0) {
          same(what, shown, undefined)
          continue
        }
        if (!shown) {
          same(what, null, 'a route')
          continue
        }
        compareSummary(model, what, shown, own)
        same(`errors of ${what}`, shown.errors, failed)
        same(`error bars of ${what}`, sum(errorBars.get(`${projectId} ${route}`) ?? []), failed)
      }
    if (filter.to !== undefined) await compareChosen(model, { name, filter, isIn })
    // The page has all projects together.
    for (const route of routes.filter((_, at) => at % 2 === index % 2)) {
      const what = `page of ${route} in ${name} ${filter.environment ?? 'all'}`
      const own = visits.filter(visit => visit.route === route && within(visit))
      const failed = events.filter(event => isFailure(event) && event.route === route && within(event))
      const page = await findRoute(viewer, filter, route)
      if (!page) {
        same(what, null, 'a page')
        continue
      }
      compareSummary(model, what, page.summary, own)
      same(`errors of ${what}`, page.summary.errors, failed.length)
      for (const { release, summary } of page.releases) {
        compareSummary(
          model,
          `${what} of ${release}`,
          summary,
          own.filter(visit => visit.release === release),
        )
        same(
          `errors of ${what} of ${release}`,
          summary.errors,
          failed.filter(event => event.release === release).length,
        )
      }
      const loads = own.filter(({ kind }) => kind === 'load')
      const series = await measureRoute(viewer, filter, route, 'lcp')
      report.near(`series of ${what}`, series.count, viewsOf(loads), 1e-9)
      if (filter.to === undefined && filter.rangeMs <= dayMs) {
        // A sum of five minutes belongs to the step in which it begins.
        const lengthMs = filter.rangeMs / series.steps.length
        const lately = loads.filter(({ at }) => Math.floor(now / 1_000) * 1_000 - bucketOf(at) < lengthMs)
        const truth = weightedP75(lately, visit => visit.vitals.lcp)
        if (truth !== null) report.near(`last step of ${what}`, series.steps.at(-1) ?? null, truth, 0.05)
      }
      if (filter.to !== undefined && filter.rangeMs <= 2 * dayMs) {
        // Bars of whole minutes or hours by the clock, from the one in which the time begins.
        const barMs = (series.to - series.from) / series.steps.length
        same(`bars of ${what}`, [series.from % barMs, series.from <= from, series.to >= to], [0, true, true])
        for (const [step, value] of series.steps.entries()) {
          const begin = series.from + step * barMs
          const truth = weightedP75(
            loads.filter(({ at }) => at >= begin && at < begin + barMs),
            visit => visit.vitals.lcp,
          )
          report.near(`step ${step} of ${what}`, value, truth, 0.05)
        }
      }
      await compareWithIssues(model, { route, from, to, filter, failures: failed.length })
    }
  }
  const found = await searchRoutes(viewer, 'items', 10)
  same('routes by name', [...new Set(found.map(({ route }) => route))], ['/items/[id]'])
  // Deletions change no span.
  if (!isWhole) return
  await compareWork(model, { rangeMs: 30 * dayMs })
  await compareWork(model, { rangeMs: 5 * dayMs, to: now - 90 * 60_000 })
}

type Row = { at: number; environment: string }
type Filter = { name: string; rangeMs: number; to?: number; environment?: string }

/** Any two moments: hours, and days with parts of their first and last one, along the sums of five minutes and across them. */
function chosenTimes(now: number): Filter[] {
  const aligned = (at: number): number => Math.floor(at / stepMs) * stepMs
  return [
    { name: 'chosen hours', rangeMs: 7 * hourMs + 3 * stepMs, to: aligned(now - 20 * hourMs) },
    { name: 'chosen days', rangeMs: 5 * dayMs + 7 * stepMs, to: aligned(now - 3 * dayMs), environment: 'staging' },
    { name: 'chosen moments', rangeMs: 9 * hourMs + 1_234, to: aligned(now - 6 * hourMs) + 77_777 },
    { name: 'chosen moments of days', rangeMs: 4 * dayMs, to: aligned(now - 2 * dayMs) + 123_456 },
    { name: 'chosen until later', rangeMs: 30 * hourMs, to: aligned(now) + hourMs },
  ]
}

/** In whole sums: a range that ends now begins with the first, and a chosen time has all that it touches. */
function rangeOf(now: number, filter: Omit<Filter, 'name'>): { from: number; to: number } {
  if (filter.to === undefined) return { from: routeRange(now, filter).from, to: now + 1 }
  return { from: bucketOf(filter.to - filter.rangeMs), to: bucketOf(filter.to + stepMs - 1) }
}

type Chosen = { name: string; filter: Omit<Filter, 'name'>; isIn: (row: Row, since: number, until: number) => boolean }

/** What a chosen time cuts, by how much its numbers are more, and the time just before it. */
async function compareChosen({ viewer, now, visits, events, report }: Model, { name, filter, isIn }: Chosen) {
  const { same, near } = report
  const whole = rangeOf(now, filter)
  const end = filter.to ?? now
  const views = (since: number, until: number, route?: string): number =>
    viewsOf(visits.filter(visit => isView(visit) && isHere(visit, route) && isIn(visit, since, until)))
  const errors = (since: number, until: number, route?: string): number =>
    events.filter(event => isFailure(event) && isHere(event, route) && isIn(event, since, until)).length
  for (const route of [undefined, ...routes]) {
    const what = `${route ?? 'all routes'} in ${name}`
    const cut = await countCutSums(viewer, filter, route)
    const sums = [...new Set([end - filter.rangeMs, end].filter(at => at % stepMs !== 0 && at < now).map(bucketOf))]
    same(`whether ${what} is cut`, cut === null, sums.length === 0)
    near(`cut views of ${what}`, cut?.views ?? 0, sum(sums.map(at => views(at, at + stepMs, route))), 1e-9)
    same(`cut errors of ${what}`, cut?.errors ?? 0, sum(sums.map(at => errors(at, at + stepMs, route))))
    const outside = errors(whole.from, whole.to, route) - errors(end - filter.rangeMs, end, route)
    same(`errors of ${what} outside of the time`, outside <= (cut?.errors ?? 0), true)
  }
  const since = 2 * whole.from - whole.to
  const before = await listRoutes(viewer, { ...filter, isBefore: true })
  for (const route of routes) {
    const what = `${route} before ${name}`
    const own = before.filter(entry => entry.route === route)
    near(`views of ${what}`, sum(own.map(viewsOfRoute)), views(since, whole.from, route), 1e-9)
    same(`errors of ${what}`, sum(own.map(entry => entry.errors)), errors(since, whole.from, route))
    const profile = await findRouteProfile(viewer, { ...filter, isBefore: true }, route)
    near(`page loads of ${what}`, profile?.summary.pageLoads ?? 0, sum(own.map(({ pageLoads }) => pageLoads)), 1e-9)
  }
}

const isView = ({ kind }: ModelVisit): boolean => kind === 'load' || kind === 'navigation'
const isHere = (row: { route: string }, route: string | undefined): boolean =>
  route === undefined ? row.route !== '' : row.route === route

function compareSummary({ report }: Model, what: string, shown: RouteSummary, own: readonly ModelVisit[]): void {
  const { same, near } = report
  const of = (kind: ModelVisit['kind']) => own.filter(visit => visit.kind === kind)
  const [loads, navigations, requests] = [of('load'), of('navigation'), of('request')]
  near(`page loads of ${what}`, shown.pageLoads, viewsOf(loads), 1e-9)
  near(`navigations of ${what}`, shown.navigations, viewsOf(navigations), 1e-9)
  near(`requests of ${what}`, shown.requests.count, viewsOf(requests), 1e-9)
  same(`stored views of ${what}`, shown.stored, {
    pageLoads: loads.length,
    navigations: navigations.length,
    requests: requests.length,
  })
  near(`actions of ${what}`, shown.actions.count, viewsOf(requests.filter(({ action }) => action !== '')), 1e-9)
  near(`prefetches of ${what}`, shown.prefetches.sent, viewsOf(of('prefetch')), 1e-9)
  const answered = (status: number) => viewsOf(requests.filter(request => request.status === status))
  near(`5xx of ${what}`, shown.statuses['5xx'], answered(500), 1e-9)
  near(`404 of ${what}`, shown.statuses['404'], answered(404), 1e-9)
  near(`failed requests of ${what}`, shown.requests.failed, answered(500), 1e-9)
  near(
    `server time of ${what}`,
    shown.requests.p75Ms,
    weightedP75(requests, visit => visit.spans[0]?.durationMs),
    0.022,
  )
  for (const name of vitals)
    for (const [side, views] of [
      ['hard', loads],
      ['soft', navigations],
    ] as const) {
      const truth = weightedP75(views, visit => visit.vitals[name])
      const measure = shown.vitals[name][side]
      same(`${side} rating of ${name} of ${what}`, measure.rating, truth === null ? null : ratingOf(name, truth))
      near(`${side} p75 of ${name} of ${what}`, measure.p75, truth, 0.022)
    }
}

type Failed = { route: string; from: number; to: number; filter: Omit<Filter, 'name'>; failures: number }

/** The same errors, as the issues of this route count them. */
async function compareWithIssues(
  { viewer, report }: Model,
  { route, from, to, filter, failures }: Failed,
): Promise<void> {
  const { terms } = parseSearch(`route:"${route}" level:[error,fatal]`)
  const page = await listIssues(viewer, {
    ...filter,
    terms,
    rangeMs: to - 1 - from,
    ...(filter.to !== undefined && { to: to - 1 }),
    sort: 'events',
    limit: 100,
  })
  report.same(`issues of ${route} since ${from}`, sum(page.issues.map(({ events }) => events)), failures)
}

/** What the newest two days of a range say about a route: what the server does, which actions are called, what blocks the page. */
async function compareWork({ viewer, now, visits, report }: Model, filter: { rangeMs: number; to?: number }) {
  const { same } = report
  const until = filter.to ?? Number.POSITIVE_INFINITY
  for (const route of routes.slice(0, 2)) {
    const lately = visits
      .filter(({ at }) => at >= (filter.to ?? now) - 2 * dayMs && at < until)
      .filter(visit => visit.route === route)
      .map(visit => ({ ...visit, spans: visit.spans.filter(({ at }) => at < until) }))
    const requests = lately.filter(({ kind }) => kind === 'request')
    const queries = requests
      .map(({ spans }) => spans.filter(({ op }) => op === 'db.query'))
      .filter(own => own.length > 0)
    const work = (await listServerWork(viewer, filter, route)).find(({ op }) => op === 'db.query')
    same(`requests with queries on ${route}`, work?.requests ?? 0, queries.length)
    same(`queries on ${route}`, work?.calls ?? 0, queries.flat().length)

    const called = Map.groupBy(
      requests.filter(({ action }) => action !== ''),
      ({ action, spans }) => spans.find(({ origin }) => origin?.endsWith('server_action'))?.name ?? action,
    )
    const actions = await listServerActions(viewer, filter, route)
    same(
      `server actions of ${route}`,
      actions.map(({ name, isNamed, calls, failed }) => [name, isNamed, calls, failed]).sort(),
      [...called]
        .map(([name, own]) => {
          const failed = own.filter(({ status, spans }) => status >= 500 || spans[0]?.isFailed).length
          return [name, name === 'submitOrder', own.length, failed]
        })
        .sort(),
    )
    for (const { name, p75Us } of actions)
      report.quantile(
        `p75 of ${name}`,
        p75Us,
        0.75,
        (called.get(name) ?? []).map(({ spans }) => usOf(spans[0])),
      )

    const blamed = Map.groupBy(
      lately.flatMap(({ spans }) => spans.filter(({ op }) => op.startsWith('ui.long'))),
      ({ attributes = {} }) =>
        ['code.function.name', 'browser.script.invoker', 'code.file.path']
          .flatMap(key => attributes[key] ?? [])
          .join(' '),
    )
    const frames = await listLongFrames(viewer, filter, route)
    same(
      `long frames of ${route}`,
      frames.map(({ script, frames: count, totalUs }) => [script, count, totalUs]),
      [...blamed].map(([script, own]) => [script, own.length, sum(own.map(usOf))] as const).sort((a, b) => b[2] - a[2]),
    )
    same(`scripts that block ${route}`, frames.length, 3)
    for (const { script, p75Us } of frames)
      report.quantile(`p75 of ${script || 'no script'}`, p75Us, 0.75, (blamed.get(script) ?? []).map(usOf))
  }
}

const usOf = (span: { durationMs: number } | undefined): number => (span?.durationMs ?? 0) * 1_000

/** The smallest value that three quarters do not exceed. */
function weightedP75(
  visits: readonly ModelVisit[],
  measureOf: (visit: ModelVisit) => number | undefined,
): number | null {
  const values = visits.flatMap(visit => {
    const value = measureOf(visit)
    return value === undefined ? [] : [{ value, weight: 1 / visit.rate }]
  })
  const sorted = values.toSorted((a, b) => a.value - b.value)
  const total = sum(sorted.map(({ weight }) => weight))
  let below = 0
  for (const { value, weight } of sorted) {
    below += weight
    if (below >= 0.75 * total - 1e-9) return value
  }
  return null
}
