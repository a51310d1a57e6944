import type { Metadata } from 'next'
import { hasProjects } from '#domain/access/find-projects.ts'
import { countCutSums } from '#domain/routes/count-cut-sums.ts'
import { findRoute } from '#domain/routes/find-route.ts'
import { measureRoute } from '#domain/routes/measure-route.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { CopyLink } from '#ui/copy-button.tsx'
import { Link } from '#ui/link.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { routeLabel } from '#ui/route/route-name.tsx'
import { attempt } from '#web/attempt.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { requireViewer } from '#web/viewer.ts'
import { titleFor } from '../../../../title-for.ts'
import { IgnoredNote } from '../../ignored-note.tsx'
import { inTime, ranges } from '../../list-params.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { Pickers } from '../../pickers.tsx'
import { RoundedNote } from '../rounded-note.tsx'
import { readRouteFilter, readRouteParams, routeHref, routeOfAddress, routesHref } from '../search-params.ts'
import { RouteScreen } from './route-screen.tsx'

type Props = {
  params: Promise<{ org: string; pattern: string[] }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, pattern } = await params
  const name = routeOfAddress(pattern)
  return titleFor(org, () => (name === null ? null : [routeLabel(name), 'Routes']))
}

/** One route: how users arrive, how fast it is, and what fails. */
export default async function RoutePage({ params: address, searchParams }: Props) {
  const { org, pattern } = await address
  const viewer = await requireViewer(org)
  const params = readRouteParams(await searchParams)
  const name = routeOfAddress(pattern)
  const nothing = (
    <NothingHere
      organizationSlug={org}
      kind="Route"
      name={name === null ? `/${pattern.join('/')}` : routeLabel(name)}
      list="routes"
    />
  )
  if (name === null) return nothing
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={org} kind="Project" name={params.projects.join(', ')} />
  const filter = readRouteFilter(viewer, params)
  // The first screen shows both.
  const trend = attempt('route trend', measureRoute(viewer, filter, name, params.chart))
  const [found, cut] = await Promise.all([
    attempt('route', findRoute(viewer, filter, name)),
    attempt('route edges', countCutSums(viewer, filter, name)),
  ])
  const { zone } = await readTimeZone()
  const isGone = found.ok && found.value === null
  if (isGone && !(await wasEverSeen(name))) return nothing
  return (
    <>
      <TopBar
        actions={
          <>
            <Pickers viewer={viewer} params={params} href={change => routeHref(org, name, params, change)} />
            <CopyLink />
          </>
        }
      >
        <Trail stops={[{ href: routesHref(org, { ...params, q: '' }), label: 'Routes' }]} here={routeLabel(name)} />
      </TopBar>
      <IgnoredNote viewer={viewer} params={params} />
      {!found.ok ? <FailedPanel what="This route" reference={found.reference} /> : null}
      {isGone ? (
        <Blank
          title={`No data for ${routeLabel(name)} ${inTime(params, zone)}`}
          actions={
            <Link className="btn primary" href={routeHref(org, name, params, { range: '90d', span: undefined })}>
              Search last 90 days
            </Link>
          }
        >
          This route has data in another time range, project or environment.
        </Blank>
      ) : null}
      {found.ok && found.value && cut.ok && cut.value ? (
        <RoundedNote now={viewer.now} filter={filter} cut={cut.value} />
      ) : null}
      {found.ok && found.value ? (
        <RouteScreen viewer={viewer} params={params} filter={filter} route={found.value} trend={trend} />
      ) : null}
    </>
  )

  /** Tells a route without recent data from one that doesn't exist. */
  async function wasEverSeen(route: string): Promise<boolean> {
    const ever = await attempt('route', findRoute(viewer, { rangeMs: ranges['90d'].ms }, route))
    return !ever.ok || ever.value !== null
  }
}
