import type { Metadata } from 'next'
import { listReleases, releasesPerPage } from '#queries/releases/list-releases.ts'
import { TopBar } from '#ui/top-bar.tsx'
import { requireViewer } from '#web/viewer.ts'
import { NotFoundHere } from '../../../not-found-here.tsx'
import { NoReleases } from './no-releases.tsx'
import { ReleaseFilters } from './release-filters.tsx'
import { ReleasePager } from './release-pager.tsx'
import { ReleaseTable } from './release-table.tsx'
import { readReleaseParams } from './search-params.ts'

export const metadata: Metadata = { title: 'Releases' }

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ReleasesPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readReleaseParams(await searchParams)
  const project = viewer.projects.find(({ slug }) => slug === params.project)
  if (params.project !== '' && project === undefined) return <NotFoundHere />
  const { releases, total } = await listReleases(viewer, {
    projectId: project?.id,
    text: params.q,
    sort: params.sort,
    offset: (params.page - 1) * releasesPerPage,
  })
  return (
    <>
      <TopBar>
        <h1>Releases</h1>
        <span className="t3">{total === 0 ? '' : `${total.toLocaleString('en-US')} known`}</span>
      </TopBar>
      <ReleaseFilters viewer={viewer} params={params} />
      {releases.length > 0 ? (
        <ReleaseTable releases={releases} viewer={viewer} />
      ) : (
        <NoReleases organizationSlug={viewer.organization.slug} params={params} hasAny={total > 0} />
      )}
      <ReleasePager organizationSlug={viewer.organization.slug} params={params} total={total} />
    </>
  )
}
