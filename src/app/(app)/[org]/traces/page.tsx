import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { hasProjects } from '#domain/access/find-projects.ts'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../panel.tsx'
import { listTitle } from '../../../title-for.ts'
import { ListHead, SearchError } from '../list-head.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { SpanSearch } from '../search/span-search.tsx'
import { defaultQuery, keptParams, readSpanFilter, readTraceParams, tracesHref } from './search-params.ts'
import { SpanCharts, TraceTable, TraceViews } from './trace-table.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Traces')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Traces of page views and requests, or of any other spans that the search matches, with throughput and durations. */
export default async function TracesPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readTraceParams(await searchParams)
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={viewer.organization.slug} kind="Project" name={params.projects.join(', ')} />
  const { slug } = viewer.organization
  // A pasted trace id opens the trace.
  if (/^[0-9a-f]{32}$/i.test(params.q)) redirect(`/${slug}/traces/${params.q.toLowerCase()}`)
  const filter = readSpanFilter(viewer, params)
  return (
    <>
      <ListHead
        viewer={viewer}
        title="Traces"
        language="spans"
        Search={SpanSearch}
        params={params}
        href={change => tracesHref(slug, params, change)}
        kept={keptParams(params)}
        views={<TraceViews viewer={viewer} params={params} />}
      />
      {filter ? (
        <>
          <Panel what="Durations over time">
            <SpanCharts viewer={viewer} filter={filter} />
          </Panel>
          <Panel what="Traces">
            <TraceTable viewer={viewer} filter={filter} params={params} />
          </Panel>
        </>
      ) : (
        <SearchError href={tracesHref(slug, params, { q: defaultQuery })} label="Page views and requests" />
      )}
    </>
  )
}
