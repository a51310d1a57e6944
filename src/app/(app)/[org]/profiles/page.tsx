import type { Metadata } from 'next'
import { hasProjects } from '#domain/access/find-projects.ts'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../panel.tsx'
import { listTitle } from '../../../title-for.ts'
import { ListHead, SearchError } from '../list-head.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { SpanSearch } from '../search/span-search.tsx'
import { ProfileList } from './profile-list.tsx'
import { keptParams, profilesHref, readProfileFilter, readProfileParams } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Profiles')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Page views and requests that were profiled, each with a link to its flame chart. */
export default async function ProfilesPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readProfileParams(await searchParams)
  const { slug } = viewer.organization
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={slug} kind="Project" name={params.projects.join(', ')} />
  const filter = readProfileFilter(viewer, params)
  return (
    <>
      <ListHead
        viewer={viewer}
        title="Profiles"
        language="spans"
        Search={SpanSearch}
        path={`/${slug}/profiles`}
        params={params}
        href={change => profilesHref(slug, params, change)}
        kept={keptParams(params)}
        views={null}
      />
      {filter ? (
        <Panel what="Profiles">
          <ProfileList viewer={viewer} filter={filter} params={params} />
        </Panel>
      ) : (
        <SearchError href={profilesHref(slug, params, { q: '' })} label="All profiles" />
      )}
    </>
  )
}
