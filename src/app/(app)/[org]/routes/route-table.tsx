import { type RouteListEntry, routeKey } from '#queries/route-list/list-routes.ts'
import type { Viewer } from '#queries/viewer.ts'
import { Link } from '#ui/link.tsx'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import type { Attempt } from '#web/attempt.ts'
import { RouteRow } from './route-row.tsx'
import { type RouteParams, type RouteSort, routeHref, routesHref } from './search-params.ts'

type Props = {
  viewer: Viewer
  params: RouteParams
  routes: RouteListEntry[]
  total: number
  /** Over time, by `routeKey`. Without these small charts the table still says everything. */
  errors: Attempt<Map<string, number[]>>
}
const rowsShown = 200

export function RouteTable({ viewer, params, routes, total, errors }: Props) {
  const { slug } = viewer.organization
  const shown = routes.slice(0, rowsShown)
  const inScope = viewer.projects.filter(({ slug: each, isInternal }) =>
    params.projects.length === 0 ? !isInternal : params.projects.includes(each),
  )
  /** Undefined where there is no other project to be told from. */
  const projectOf = ({ projectId }: RouteListEntry): string | undefined =>
    inScope.length > 1 ? viewer.projects.find(({ id }) => id === projectId)?.slug : undefined
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
              {inScope.length > 1 ? <th>Project</th> : null}
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
