import type { RouteListEntry } from '#queries/route-list/list-routes.ts'
import { formatCount } from '#ui/format-count.ts'
import { Link } from '#ui/link.tsx'
import { countView } from './choose-routes.ts'
import { type RouteParams, routesHref, routeViews } from './search-params.ts'

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
