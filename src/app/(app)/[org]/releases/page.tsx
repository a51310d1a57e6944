import type { Metadata } from 'next'
import { findProjectIds, hasProjects } from '#domain/access/find-projects.ts'
import { listReleases, releasesPerPage } from '#domain/releases/list-releases.ts'
import { countAdoption } from '#domain/releases/release-counts.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { Notice } from '#ui/notice.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { NothingHere } from '../nothing-here.tsx'
import { ReleaseFilters } from './release-filters.tsx'
import { NoReleases, ReleasePager, ReleaseTable } from './release-table.tsx'
import { readReleaseParams } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Releases')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ReleasesPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readReleaseParams(await searchParams)
  const named = params.project === '' ? [] : [params.project]
  if (!hasProjects(viewer, named))
    return <NothingHere organizationSlug={viewer.organization.slug} kind="Project" name={named.join(', ')} />
  const { releases, total } = await listReleases(viewer, {
    projectId: findProjectIds(viewer, named)?.[0],
    text: params.q,
    sort: params.sort,
    offset: (params.page - 1) * releasesPerPage,
  })
  const adoption = await attempt('adoption', countAdoption(viewer, releases))
  return (
    <>
      <TopBar>
        <h1>Releases</h1>
        <span className="t3">{total === 0 ? '' : `${formatWhole(total)} total`}</span>
      </TopBar>
      <ReleaseFilters viewer={viewer} params={params} />
      {adoption.ok ? null : (
        <div className="rnote">
          <Notice kind="warning">
            Couldn’t reach the database, so the Users and Events columns are empty. Events are still being received.
          </Notice>
        </div>
      )}
      {releases.length > 0 ? (
        <ReleaseTable releases={releases} adoption={adoption.ok ? adoption.value : new Map()} viewer={viewer} />
      ) : (
        <NoReleases organizationSlug={viewer.organization.slug} params={params} hasAny={total > 0} />
      )}
      <ReleasePager organizationSlug={viewer.organization.slug} params={params} total={total} />
    </>
  )
}
