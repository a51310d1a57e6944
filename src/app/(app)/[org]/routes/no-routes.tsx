import type { Viewer } from '#domain/access/viewer.ts'
import type { RouteListEntry } from '#domain/routes/list-routes.ts'
import { Blank } from '#ui/blank.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime } from '../list-params.ts'
import { countView } from './choose-routes.ts'
import { type RouteParams, routesHref, routeViews } from './search-params.ts'

/** Says why the table is empty and offers the next step. */
export async function NoRoutes({ viewer, params, isEmpty }: { viewer: Viewer; params: RouteParams; isEmpty: boolean }) {
  const { slug } = viewer.organization
  if (!isEmpty)
    return (
      <Blank
        title="No matching routes"
        actions={
          <Link className="btn primary" href={routesHref(slug, params, { q: '', view: 'all' })}>
            Clear filters
          </Link>
        }
      >
        There are routes in this time range, but none matches this view and filter.
      </Blank>
    )
  const { zone } = await readTimeZone()
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  return (
    <Blank
      title={`No routes ${inTime(params, zone)}`}
      actions={
        <>
          {params.span === undefined && (params.range === '30d' || params.range === '90d') ? null : (
            <Link className="btn primary" href={routesHref(slug, params, { range: '30d', span: undefined })}>
              Search last 30 days
            </Link>
          )}
          <Link className="btn" href={first ? `/${slug}/projects/${first.slug}` : `/${slug}/projects`}>
            Set up tracing
          </Link>
        </>
      }
    >
      Routes appear when an app sends page loads or requests. Set the SDK’s tracesSampleRate above 0.
    </Blank>
  )
}

type Props = { organizationSlug: string; params: RouteParams; routes: readonly RouteListEntry[] }

export function RouteViews({ organizationSlug, params, routes }: Props) {
  return (
    <nav className="views" aria-label="Views">
      {(Object.keys(routeViews) as RouteParams['view'][]).map(view => (
        <Link
          key={view}
          href={routesHref(organizationSlug, params, { view })}
          aria-current={params.view === view ? 'page' : undefined}
        >
          {routeViews[view]}
          {view === 'missing' ? null : <span className="n">{formatCount(countView(routes, view))}</span>}
        </Link>
      ))}
    </nav>
  )
}
