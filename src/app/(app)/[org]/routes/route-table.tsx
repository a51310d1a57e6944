import type { Viewer } from '#domain/access/viewer.ts'
import {
  isFailing,
  isHandler,
  type RouteListEntry,
  routeKey,
  storedViewsOf,
  viewsOf,
} from '#domain/routes/list-routes.ts'
import { type Column, DataTable, numeric } from '#ui/data-table.tsx'
import { formatCount, formatDuration, formatMany } from '#ui/format.ts'
import { Spark } from '#ui/issue-list/issue-row.tsx'
import { Link } from '#ui/link.tsx'
import { ArrivalMix, RouteName } from '#ui/route/route-name.tsx'
import { formatVital, vitalLooks } from '#ui/route/vital-card.tsx'
import type { Attempt } from '#web/attempt.ts'
import { type RouteParams, type RouteSort, routeHref, routesHref } from './search-params.ts'

type Props = {
  viewer: Viewer
  params: RouteParams
  routes: RouteListEntry[]
  total: number
  /** Errors over time, by `routeKey`. If the query failed, only these charts are missing. */
  errors: Attempt<Map<string, number[]>>
}
const rowsShown = 200

export function RouteTable({ viewer, params, routes, total, errors }: Props) {
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
        look="page rtable"
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
          head('Errors', 'errors'),
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
            />
          )
        })}
      </DataTable>
      <footer className="lfoot">
        <span>
          {shown.length} of {total} routes.{' '}
          <span className="t3">Colored values are worse than “good”. p75: 75 % of visits were faster.</span>
        </span>
      </footer>
    </>
  )
}

/** `project` is undefined if only one project is shown. */
type RouteRowProps = { route: RouteListEntry; project: string | undefined; href: string; errorBars: number[] }
const shownVitals = ['lcp', 'inp', 'cls', 'ttfb'] as const

const isSampled = (count: number, stored: number): boolean => stored < Math.round(count)
const sampleOf = (count: number, stored: number): string | undefined =>
  isSampled(count, stored) ? `from a sample of ${formatCount(stored)}` : undefined

function RouteRow({ route, project, href, errorBars }: RouteRowProps) {
  const { requests, arrivals, actions, errors, statuses, stored } = route
  return (
    <tr>
      <td>
        <Link className="row" href={href}>
          <RouteName route={route.route} />
        </Link>
      </td>
      {project === undefined ? null : <td className="t2">{project}</td>}
      <td className="num">
        {isHandler(route) ? (
          <span className="t3" title={sampleOf(requests.count, stored.requests)}>
            {isSampled(requests.count, stored.requests) ? '≈ ' : ''}
            {formatMany(requests.count, 'request')}
          </span>
        ) : (
          <span title={sampleOf(viewsOf(route), storedViewsOf(route))}>
            {isSampled(viewsOf(route), storedViewsOf(route)) ? '≈ ' : ''}
            {formatCount(Math.round(viewsOf(route)))}
          </span>
        )}
      </td>
      <td className="num">{requests.p75Ms === null ? '–' : formatDuration(requests.p75Ms * 1e3)}</td>
      {shownVitals.map(name => {
        const { hard } = route.vitals[name]
        return (
          <td key={name} className={`num ${hard.rating ? vitalLooks[hard.rating] : 't3'}`}>
            {formatVital(name, hard.p75)}
          </td>
        )
      })}
      <td>{isHandler(route) ? <span className="t3">API route</span> : <ArrivalMix arrivals={arrivals} />}</td>
      <td className="num t2">{actions.count === 0 ? '–' : formatCount(Math.round(actions.count))}</td>
      <td className={isFailing(route) ? 'num bad strong' : 'num'}>
        {errors === 0 && statuses['5xx'] > 0
          ? formatMany(statuses['5xx'], '5xx', '5xx')
          : formatCount(Math.round(errors))}
      </td>
      <td>
        {errorBars.length === 0 ? null : (
          <Spark bars={errorBars} isHot={false} label={`${formatCount(Math.round(errors))} errors`} />
        )}
      </td>
    </tr>
  )
}
