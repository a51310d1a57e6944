import { Fragment } from 'react'
import { isHandler } from '#queries/route-list/summarise-route.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { formatMany } from '#ui/format-many.ts'
import { Link } from '#ui/link.tsx'
import { RouteName } from '#ui/route/route-name.tsx'
import { routeHref } from '../search-params.ts'
import { issuesOf, tracesOf } from './links-of.ts'
import type { RouteView } from './route-screen.tsx'

export function RouteHeading({ viewer, params, route }: RouteView) {
  const { summary } = route
  const { slug } = viewer.organization
  return (
    <header className="rhead">
      <div>
        <p className="t3">
          {isHandler(summary) ? 'Handler' : 'Page'} <ProjectNames viewer={viewer} params={params} route={route} />
        </p>
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

/** Several only where somebody asks for all projects together: then each leads to its own numbers. */
function ProjectNames({ viewer, params, route }: Pick<RouteView, 'viewer' | 'params' | 'route'>) {
  const projects = viewer.projects.filter(({ id }) => route.projectIds.includes(id))
  if (projects.length === 1) return <>of {projects[0]?.slug}</>
  return (
    <>
      of {projects.length} projects together:{' '}
      {projects.map(({ slug }, index) => (
        <Fragment key={slug}>
          {index === 0 ? '' : ', '}
          <Link className="link" href={routeHref(viewer.organization.slug, route.route, params, { projects: [slug] })}>
            {slug}
          </Link>
        </Fragment>
      ))}
    </>
  )
}
