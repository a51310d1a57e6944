import { countRouteErrors } from '#queries/route-list/count-route-errors.ts'
import type { RouteListEntry } from '#queries/route-list/list-routes.ts'
import type { RouteFilter } from '#queries/route-list/route-filter.ts'
import type { Viewer } from '#queries/viewer.ts'
import { Link } from '#ui/link.tsx'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { attempt } from '#web/attempt.ts'
import { RouteRow } from './route-row.tsx'
import { type RouteParams, type RouteSort, routeHref, routesHref } from './search-params.ts'

type Props = {
  viewer: Viewer
  params: RouteParams
  filter: RouteFilter
  routes: RouteListEntry[]
  total: number
}
const rowsShown = 200

export async function RouteTable({ viewer, params, filter, routes, total }: Props) {
  const { slug } = viewer.organization
  // Without the small charts the table still says everything.
  const errors = await attempt('route errors', countRouteErrors(viewer, filter))
  const shown = routes.slice(0, rowsShown)
  const head = (label: string, sort: RouteSort) => (
    <th
      className={params.sort === sort ? 'num sorted' : 'num'}
      aria-sort={params.sort === sort ? 'descending' : undefined}
    >
      <Link href={routesHref(slug, params, { sort })}>
        {label}
        {params.sort === sort ? ' ↓' : ''}
      </Link>
    </th>
  )
  return (
    <>
      <ScrollRegion label="Routes" className="tb-scroll">
        <table className="tb page rtable">
          <thead>
            <tr>
              <th>Route</th>
              {head('Views', 'views')}
              {head('Server p75', 'server')}
              {head('LCP p75', 'lcp')}
              {head('INP p75', 'inp')}
              {head('CLS p75', 'cls')}
              {head('TTFB p75', 'ttfb')}
              <th>How visitors arrive</th>
              <th className="num">Actions</th>
              {head('Errors', 'errors')}
              <th>Errors over time</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(route => (
              <RouteRow
                key={route.route}
                route={route}
                href={routeHref(slug, route.route, params)}
                errorBars={errors.ok ? (errors.value.get(route.route) ?? []) : []}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <footer className="lfoot">
        <span>
          {shown.length} of {total} routes.{' '}
          <span className="t3">Coloured only where a value misses “good”. p75: three of four visits were faster.</span>
        </span>
      </footer>
    </>
  )
}
