import type { Viewer } from '#domain/access/viewer.ts'
import type { RouteListEntry } from '#domain/routes/list-routes.ts'
import { Blank } from '#ui/blank.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { ranges } from '../list-params.ts'
import { countView } from './choose-routes.ts'
import { type RouteParams, routesHref, routeViews } from './search-params.ts'

/** An empty table says why it is empty and what the next step is. */
export function NoRoutes({ viewer, params, isEmpty }: { viewer: Viewer; params: RouteParams; isEmpty: boolean }) {
  const { slug } = viewer.organization
  if (!isEmpty)
    return (
      <Blank
        title="No route like this"
        actions={
          <Link className="btn primary" href={routesHref(slug, params, { q: '', view: 'all' })}>
            All routes
          </Link>
        }
      >
        There are routes in this time, but none that this view and search leave over.
      </Blank>
    )
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  return (
    <Blank
      title={`No routes in the ${ranges[params.range].label.toLowerCase()}`}
      actions={
        <>
          {params.range === '30d' || params.range === '90d' ? null : (
            <Link className="btn primary" href={routesHref(slug, params, { range: '30d' })}>
              Look at 30 days
            </Link>
          )}
          <Link className="btn" href={first ? `/${slug}/projects/${first.slug}` : `/${slug}/projects`}>
            Set up tracing
          </Link>
        </>
      }
    >
      Routes appear once an app sends page loads or requests: its SDK needs a tracesSampleRate above 0.
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
          <span className="n">{formatCount(countView(routes, view))}</span>
        </Link>
      ))}
    </nav>
  )
}
