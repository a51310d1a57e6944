import { Search } from 'lucide-react'
import type { Metadata } from 'next'
import { hasProjects } from '#domain/access/find-projects.ts'
import { listRouteFindings } from '#domain/findings/route/find-route-finding.ts'
import { countCutSums } from '#domain/routes/count-cut-sums.ts'
import { listRoutes } from '#domain/routes/list-routes.ts'
import { countRouteErrors } from '#domain/routes/measure-route.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { GetForm } from '#ui/get-form.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import { arrivalWaysOf } from '#ui/route/route-name.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { IgnoredNote } from '../ignored-note.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { Pickers } from '../pickers.tsx'
import { chooseRoutes } from './choose-routes.ts'
import { FullNote } from './full-note.tsx'
import { NoRoutes, RouteViews } from './no-routes.tsx'
import { PathList } from './path-list.tsx'
import { RoundedNote } from './rounded-note.tsx'
import { RouteTable } from './route-table.tsx'
import { keptParams, readRouteFilter, readRouteParams, routesHref } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Routes')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

/** One row per route and project, whichever side reported it. */
export default async function RoutesPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readRouteParams(await searchParams)
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={viewer.organization.slug} kind="Project" name={params.projects.join(', ')} />
  const { slug } = viewer.organization
  const filter = readRouteFilter(viewer, params)
  const listing = attempt('routes', listRoutes(viewer, filter))
  const [listed, errors, findings, cut] = await Promise.all([
    listing,
    attempt('route errors', countRouteErrors(viewer, filter)),
    attempt('route findings', findFindings()),
    attempt('route edges', countCutSums(viewer, filter)),
  ])
  const all = listed.ok ? listed.value : []
  const chosen = chooseRoutes(all, params)
  return (
    <>
      <TopBar actions={<Pickers viewer={viewer} params={params} href={change => routesHref(slug, params, change)} />}>
        <h1>Routes</h1>
        <RouteViews organizationSlug={slug} params={params} routes={all} />
      </TopBar>
      <IgnoredNote viewer={viewer} params={params} />
      <div className="query">
        <GetForm action={`/${slug}/routes`} className="searchform" role="search">
          {Object.entries(keptParams(params)).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="search">
            <Search className="i" aria-hidden="true" />
            <input name="q" defaultValue={params.q} placeholder="Filter routes" aria-label="Filter routes" />
          </div>
        </GetForm>
        <div className="legend">
          {arrivalWaysOf(...chosen.map(({ arrivals }) => arrivals)).map(({ key, label, look }) => (
            <span key={key}>
              <i className={look} />
              {label}
            </span>
          ))}
        </div>
      </div>
      <FullNote viewer={viewer} filter={filter} />
      {cut.ok && cut.value && chosen.length > 0 ? (
        <RoundedNote now={viewer.now} filter={filter} cut={cut.value} />
      ) : null}
      {params.view === 'missing' ? (
        <PathList viewer={viewer} filter={filter} kind="not-found" />
      ) : !listed.ok ? (
        <FailedPanel what="Routes" reference={listed.reference} />
      ) : chosen.length === 0 ? (
        <NoRoutes viewer={viewer} params={params} isEmpty={all.length === 0} />
      ) : (
        <RouteTable
          viewer={viewer}
          params={params}
          routes={chosen}
          total={all.length}
          errors={errors}
          findings={findings}
        />
      )}
    </>
  )

  async function findFindings() {
    const found = await listing
    return listRouteFindings(viewer, filter, found.ok ? found.value : [])
  }
}
