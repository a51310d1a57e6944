import { isHandler } from '#queries/route-list/summarise-route.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { formatMany } from '#ui/format-many.ts'
import { Link } from '#ui/link.tsx'
import { RouteName } from '#ui/route/route-name.tsx'
import { issuesOf, tracesOf } from './links-of.ts'
import type { RouteView } from './route-screen.tsx'

export function RouteHeading({ viewer, params, route }: RouteView) {
  const { summary } = route
  const { slug } = viewer.organization
  return (
    <header className="rhead">
      <div>
        <p className="t3">{isHandler(summary) ? 'Handler' : 'Page'}</p>
        <h1>
          <RouteName route={route.route} />
        </h1>
        <p className="t2">
          {isHandler(summary) ? null : (
            <>
              {formatMany(summary.pageLoads, 'page load')}, {formatMany(summary.navigations, 'navigation')},{' '}
            </>
          )}
          {formatMany(summary.requests.count, 'request')}
          {summary.requests.p75Ms === null
            ? ''
            : ` with ${formatDuration(summary.requests.p75Ms * 1e3)} of server time (p75)`}
        </p>
      </div>
      <div className="row">
        <Link className="btn" href={tracesOf(slug, route.route, params, 'slowest')}>
          Slow traces
        </Link>
        <Link className="btn" href={issuesOf(slug, route.route, params)}>
          Issues
        </Link>
      </div>
    </header>
  )
}
