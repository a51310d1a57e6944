import { Fragment } from 'react'
import { isHandler, type RouteSummary, viewsOf } from '#domain/routes/list-routes.ts'
import { formatCount, formatDuration, formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { RouteName } from '#ui/route/route-name.tsx'
import { formatVital, vitalLooks } from '#ui/route/vital-card.tsx'
import { routeHref } from '../search-params.ts'
import { issuesOf, type RouteView, tracesOf } from './route-view.ts'

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

const vitals = ['lcp', 'inp', 'cls'] as const

export const summaryHeads = (
  <>
    <th className="num">Views</th>
    <th className="num">Server p75</th>
    <th className="num">LCP p75</th>
    <th className="num">INP p75</th>
    <th className="num">CLS p75</th>
    <th className="num">Errors</th>
  </>
)

/** The same numbers for a release and for a kind of device. An arrow says where one is clearly worse or better than before. */
export function SummaryCells({ summary, before }: { summary: RouteSummary; before: RouteSummary | undefined }) {
  const { requests, errors } = summary
  return (
    <>
      <td className="num">{formatCount(Math.round(viewsOf(summary)))}</td>
      <td className="num">
        {requests.p75Ms === null ? '–' : formatDuration(requests.p75Ms * 1e3)}
        <Turn now={requests.p75Ms} before={before?.requests.p75Ms} />
      </td>
      {vitals.map(name => {
        const { p75, verdict } = summary.vitals[name].hard
        return (
          <td key={name} className={`num ${verdict ? vitalLooks[verdict] : 't3'}`}>
            {formatVital(name, p75)}
            <Turn now={p75} before={before?.vitals[name].hard.p75} />
          </td>
        )
      })}
      <td className="num">{formatCount(Math.round(errors))}</td>
    </>
  )
}

/** Sums are exact to 5 %, and a tenth is what people notice. */
const clear = 0.1

function Turn({ now, before }: { now: number | null; before: number | null | undefined }) {
  if (now === null || before === null || before === undefined || before === 0) return null
  const change = now / before - 1
  if (Math.abs(change) < clear) return null
  const words = `${Math.round(Math.abs(change) * 100)} % ${change > 0 ? 'worse' : 'better'} than the release before`
  return (
    <span className={change > 0 ? 'bad' : 't3'} title={words} role="img" aria-label={words}>
      {change > 0 ? ' ↑' : ' ↓'}
    </span>
  )
}
