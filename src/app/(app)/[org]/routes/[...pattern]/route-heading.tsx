import { Fragment } from 'react'
import {
  areViewsEstimated,
  hasOnlyRequests,
  isHandler,
  type RouteSummary,
  rateServer,
  viewsOf,
} from '#domain/routes/summarize-route.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { numeric, stacked } from '#ui/data-table.tsx'
import { formatEstimate, formatSampled } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { RouteName } from '#ui/route/route-name.tsx'
import { formatP75, vitalLooks } from '#ui/route/vital-card.tsx'
import { ErrorRateCell } from '../route-table.tsx'
import { routeHref } from '../search-params.ts'
import { issuesOf, type RouteView, tracesOf } from './route-view.ts'

export function RouteHeading({ viewer, params, route }: RouteView) {
  const { summary } = route
  const { slug } = viewer.organization
  const count = (all: number, stored: number, one: string): string => formatSampled(all, stored, one, summary.isRounded)
  return (
    <header className="rhead">
      <div>
        <p className="t3">
          {route.route === unmatchedRoute ? 'Paths without a known route' : isHandler(summary) ? 'API route' : 'Page'}{' '}
          <ProjectNames viewer={viewer} params={params} route={route} />
        </p>
        <h1>
          <RouteName route={route.route} />
        </h1>
        <p className="t2">
          {hasOnlyRequests(summary) ? null : (
            <>
              {count(summary.pageLoads, summary.stored.pageLoads, 'page load')},{' '}
              {count(summary.navigations, summary.stored.navigations, 'navigation')},{' '}
            </>
          )}
          {count(summary.requests.count, summary.stored.requests, 'request')}
          {summary.requests.p75Ms === null ? '' : `, ${formatP75('request', summary.requests.p75Ms)} server time (p75)`}
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

/** With several projects, the numbers are combined and each project links to its own. */
function ProjectNames({ viewer, params, route }: Pick<RouteView, 'viewer' | 'params' | 'route'>) {
  const projects = viewer.projects.filter(({ id }) => route.projectIds.includes(id))
  if (projects.length === 1) return <>of {projects[0]?.slug}</>
  return (
    <>
      of {projects.length} projects combined:{' '}
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

/** The columns of `SummaryCells`. */
export const summaryColumns = ['Views', 'Server p75', 'LCP p75', 'INP p75', 'CLS p75', 'Error rate'].map(numeric)

type Before = {
  summary: RouteSummary
  isSure: (measure: 'request' | (typeof vitals)[number]) => boolean
}

/** The numbers of a release or device. An arrow marks a clear change from the previous release. */
export function SummaryCells({ summary, before }: { summary: RouteSummary; before: Before | null }) {
  const { requests } = summary
  const server = rateServer(summary)
  return (
    <>
      <td {...stacked.cell} data-label="Views" className="num">
        {formatEstimate(viewsOf(summary), areViewsEstimated(summary))}
      </td>
      <td {...stacked.cell} data-label="Server p75" className={`num ${server ? vitalLooks[server] : 't3'}`}>
        {formatP75('request', requests.p75Ms)}
        {before?.isSure('request') ? <Change now={requests.p75Ms} before={before.summary.requests.p75Ms} /> : null}
      </td>
      {vitals.map(name => {
        const { p75, rating } = summary.vitals[name].hard
        return (
          <td
            {...stacked.cell}
            key={name}
            data-label={`${name.toUpperCase()} p75`}
            className={`num ${rating ? vitalLooks[rating] : 't3'}`}
          >
            {formatP75(name, p75)}
            {before?.isSure(name) ? <Change now={p75} before={before.summary.vitals[name].hard.p75} /> : null}
          </td>
        )
      })}
      <ErrorRateCell route={summary} />
    </>
  )
}

/** Users notice about 10 %. */
const noticeable = 0.1

function Change({ now, before }: { now: number | null; before: number | null }) {
  if (now === null || before === null || before === 0) return null
  const change = now / before - 1
  if (Math.abs(change) < noticeable) return null
  const words = `${Math.round(Math.abs(change) * 100)} % ${change > 0 ? 'worse' : 'better'} than the previous release`
  return (
    <span className={change > 0 ? 'bad' : 't3'} title={words} role="img" aria-label={words}>
      {change > 0 ? ' ↑' : ' ↓'}
    </span>
  )
}
