import type { Metadata } from 'next'
import { hasProjects } from '#domain/access/find-projects.ts'
import { listReleases, type ReleaseListRow, releasesPerPage } from '#domain/releases/list-releases.ts'
import { countAdoption, countNewIssues } from '#domain/releases/release-counts.ts'
import { Notice } from '#ui/notice.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { IgnoredNote } from '../ignored-note.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { Pickers } from '../pickers.tsx'
import { ReleaseFilters } from './release-filters.tsx'
import { NoReleases, ReleasePager, ReleaseTable } from './release-table.tsx'
import { readReleaseFilter, readReleaseParams, releasesHref } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Releases')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ReleasesPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readReleaseParams(await searchParams)
  const { slug } = viewer.organization
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={slug} kind="Project" name={params.projects.join(', ')} />
  const filter = readReleaseFilter(viewer, params)
  const { releases, total } = await listReleases(viewer, {
    ...filter,
    text: params.q,
    sort: params.sort,
    offset: (params.page - 1) * releasesPerPage,
  })
  const { environment } = params
  const [adoption, fresh] = await Promise.all([
    attempt('adoption', countAdoption(viewer, releases, filter.counted)),
    // Control has counted those of all environments.
    environment === undefined
      ? null
      : attempt('new issues', countNewIssues(viewer, releases, { ...filter, ...filter.counted })),
  ])
  const newIssuesOf = ({ version, newIssues }: ReleaseListRow): number | null => {
    if (fresh === null) return newIssues
    return fresh.ok ? [...(fresh.value.get(version)?.values() ?? [])].reduce((sum, count) => sum + count, 0) : null
  }
  const missing = [...(adoption.ok ? [] : ['Users', 'Events']), ...(fresh === null || fresh.ok ? [] : ['New issues'])]
  return (
    <>
      <TopBar actions={<Pickers viewer={viewer} params={params} href={change => releasesHref(slug, params, change)} />}>
        <h1>Releases</h1>
      </TopBar>
      <IgnoredNote viewer={viewer} params={params} />
      <ReleaseFilters viewer={viewer} params={params} />
      {missing.length === 0 ? null : (
        <div className="rnote">
          <Notice kind="warning">These columns couldn’t be loaded: {missing.join(', ')}.</Notice>
        </div>
      )}
      {releases.length > 0 ? (
        <ReleaseTable
          releases={releases}
          adoption={adoption.ok ? adoption.value : new Map()}
          viewer={viewer}
          params={params}
          newIssuesOf={newIssuesOf}
          total={total}
        />
      ) : (
        <NoReleases organizationSlug={slug} params={params} hasAny={total > 0} />
      )}
      <ReleasePager organizationSlug={slug} params={params} total={total} />
    </>
  )
}
