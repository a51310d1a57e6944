import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { hasProjects } from '#domain/access/find-projects.ts'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../panel.tsx'
import { listTitle } from '../../../title-for.ts'
import { ListHead, SearchError } from '../list-head.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { ReplaySearch } from '../search/replay-search.tsx'
import { ReplayList, ReplayViews } from './replay-list.tsx'
import { keptParams, readReplayFilter, readReplayParams, replaysHref } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Replays')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Recorded visits, searched by who it was, what they did and what they met. */
export default async function ReplaysPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readReplayParams(await searchParams)
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={viewer.organization.slug} kind="Project" name={params.projects.join(', ')} />
  const { slug } = viewer.organization
  // A pasted replay id opens the replay.
  if (/^[0-9a-f]{32}$/i.test(params.q)) redirect(`/${slug}/replays/${params.q.toLowerCase()}`)
  const filter = readReplayFilter(viewer, params)
  return (
    <>
      <ListHead
        viewer={viewer}
        title="Replays"
        language="replays"
        Search={ReplaySearch}
        params={params}
        href={change => replaysHref(slug, params, change)}
        kept={keptParams(params)}
        views={<ReplayViews viewer={viewer} params={params} />}
      />
      {filter ? (
        <Panel what="Replays">
          <ReplayList viewer={viewer} filter={filter} params={params} />
        </Panel>
      ) : (
        <SearchError href={replaysHref(slug, params, { q: '' })} label="All replays" />
      )}
    </>
  )
}
