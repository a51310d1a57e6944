import type { Viewer } from '#domain/access/viewer.ts'
import type { Finding } from '#domain/findings/clause.ts'
import { type RouteListEntry, routeKey } from '#domain/routes/list-routes.ts'
import {
  areRequestsEstimated,
  areViewsEstimated,
  errorRateOf,
  failuresOf,
  hasOnlyRequests,
  hasSampledRequests,
  hasSampledViews,
  isHandler,
  type RouteSummary,
  rateServer,
  storedViewsOf,
  viewsOf,
} from '#domain/routes/summarize-route.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { type Column, DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { ShortFinding } from '#ui/finding/finding-line.tsx'
import { formatCount, formatEstimate, formatMany, formatRate, formatSampled } from '#ui/format.ts'
import { Spark } from '#ui/issue-list/issue-row.tsx'
import { Link } from '#ui/link.tsx'
import { ArrivalMix, RouteName } from '#ui/route/route-name.tsx'
import { formatFetches, formatP75, vitalLooks } from '#ui/route/vital-card.tsx'
import type { Attempt } from '#web/attempt.ts'
import styles from './route-table.module.css'
import { type RouteParams, type RouteSort, routeHref, routesHref } from './search-params.ts'

type Props = {
  viewer: Viewer
  params: RouteParams
  routes: RouteListEntry[]
  total: number
  /** Errors over time, by `routeKey`. If the query failed, only these charts are missing. */
  errors: Attempt<Map<string, number[]>>
  /** What changed, by `routeKey`. */
  findings: Attempt<Map<string, Finding>>
}
const rowsShown = 200

export function RouteTable({ viewer, params, routes, total, errors, findings }: Props) {
  const { slug } = viewer.organization
  const shown = routes.slice(0, rowsShown)
  const inScope = viewer.projects.filter(({ slug: each, isInternal }) =>
    params.projects.length === 0 ? !isInternal : params.projects.includes(each),
  )
  /** Undefined if only one project is shown. */
  const projectOf = ({ projectId }: RouteListEntry): string | undefined =>
    inScope.length > 1 ? viewer.projects.find(({ id }) => id === projectId)?.slug : undefined
  const head = (label: string, sort: RouteSort): Column => ({
    ...numeric(label),
    sort: { href: routesHref(slug, params, { sort }), isOn: params.sort === sort },
  })
  return (
    <>
      <DataTable
        label="Routes"
        look={`page rtable ${styles.routes}`}
        isStacked
        columns={[
          'Route',
          ...(inScope.length > 1 ? ['Project'] : []),
          head('Views', 'views'),
          head('Server p75', 'server'),
          head('LCP p75', 'lcp'),
          head('INP p75', 'inp'),
          head('CLS p75', 'cls'),
          head('TTFB p75', 'ttfb'),
          'Arrived by',
          numeric('Actions'),
          head('Error rate', 'errors'),
          'Errors over time',
        ]}
      >
        {shown.map(route => {
          const project = projectOf(route)
          return (
            <RouteRow
              key={routeKey(route)}
              route={route}
              project={project}
              href={routeHref(slug, route.route, params, project === undefined ? {} : { projects: [project] })}
              errorBars={errors.ok ? (errors.value.get(routeKey(route)) ?? []) : []}
              finding={findings.ok ? (findings.value.get(routeKey(route)) ?? []) : []}
            />
          )
        })}
      </DataTable>
      <footer className="lfoot">
        <span>
          {shown.length} of {total} routes.{' '}
          <span className="t3">
            Colored values are worse than “good”. p75: 75 % of visits were faster. Changes are against the time before.
          </span>
        </span>
      </footer>
    </>
  )
}

/** `project` is undefined if only one project is shown. */
type RouteRowProps = {
  route: RouteListEntry
  project: string | undefined
  href: string
  errorBars: number[]
  finding: Finding
}
const shownVitals = ['lcp', 'inp', 'cls', 'ttfb'] as const

const serverOnly = (route: RouteListEntry): string =>
  isHandler(route) && route.route !== unmatchedRoute ? 'API route' : 'Server only'

const sampleOf = (stored: number, isSampled: boolean): string | undefined =>
  isSampled ? `from a sample of ${formatCount(stored)}` : undefined

function RouteRow({ route, project, href, errorBars, finding }: RouteRowProps) {
  const { requests, arrivals, actions, errors, stored } = route
  const server = rateServer(route)
  const areRequestsRough = areRequestsEstimated(route)
  return (
    <tr {...stacked.row}>
      <td {...stacked.cell} className={styles.name}>
        <Link className="row" href={href}>
          <RouteName route={route.route} />
        </Link>
        <ShortFinding finding={finding} />
      </td>
      {project === undefined ? null : (
        <td {...stacked.cell} className={`t2 ${styles.project}`}>
          {project}
        </td>
      )}
      <td {...stacked.cell} className="num" data-label={hasOnlyRequests(route) ? 'Requests' : 'Views'}>
        {hasOnlyRequests(route) ? (
          <span className="t3" title={sampleOf(stored.requests, hasSampledRequests(route))}>
            {areRequestsRough ? '≈ ' : ''}
            {formatMany(requests.count, 'request')}
          </span>
        ) : (
          <span title={sampleOf(storedViewsOf(route), hasSampledViews(route))}>
            {formatEstimate(viewsOf(route), areViewsEstimated(route))}
          </span>
        )}
      </td>
      <td {...stacked.cell} className={`num ${server ? vitalLooks[server] : 't3'}`} data-label="Server p75">
        {formatP75('request', requests.p75Ms)}
      </td>
      {shownVitals.map(name => {
        const { hard } = route.vitals[name]
        return (
          <td
            key={name}
            {...stacked.cell}
            className={`num ${hard.rating ? vitalLooks[hard.rating] : 't3'}`}
            data-label={`${name.toUpperCase()} p75`}
          >
            {formatP75(name, hard.p75)}
          </td>
        )
      })}
      <td {...stacked.cell} className={styles.arrivals} data-label="Arrived by">
        {hasOnlyRequests(route) ? (
          <span className="t3">{serverOnly(route)}</span>
        ) : (
          <ArrivalMix arrivals={arrivals} fetched={formatFetches(route)} whyUnknown={route.whyUnknown} />
        )}
      </td>
      <td {...stacked.cell} className="num t2" data-label="Actions">
        {actions.count === 0 ? '–' : formatEstimate(actions.count, areRequestsRough)}
      </td>
      <ErrorRateCell route={route} />
      <td {...stacked.cell} className={styles.spark}>
        {errorBars.length === 0 ? null : (
          <Spark
            bars={errorBars}
            isHot={false}
            label={`${formatEstimate(errors, route.isRounded)} ${Math.round(errors) === 1 ? 'error' : 'errors'}`}
          />
        )}
      </td>
    </tr>
  )
}

/** The share of failed visits. Without traces there is nothing to divide by, and the errors are counted. */
export function ErrorRateCell({ route }: { route: RouteSummary }) {
  const { isRounded } = route
  const rate = errorRateOf(route)
  const count = (value: number, one: string): string => `${isRounded && value > 0 ? '≈ ' : ''}${formatMany(value, one)}`
  if (rate === null)
    return (
      <td {...stacked.cell} className="num" data-label="Error rate">
        {count(failuresOf(route), 'error')}
      </td>
    )
  const { failures, visits, stored, isEstimated, rating } = rate
  const of = formatSampled(visits, stored, hasOnlyRequests(route) ? 'request' : 'view', isRounded)
  return (
    <td
      {...stacked.cell}
      className={`num ${vitalLooks[rating]}`}
      title={`${count(failures, 'failure')} in ${of}`}
      data-label="Error rate"
    >
      {isEstimated ? '≈ ' : ''}
      {formatRate(rate.rate)}
    </td>
  )
}
