import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { hasProjects } from '#domain/access/find-projects.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../panel.tsx'
import { listTitle } from '../../../title-for.ts'
import { NothingHere } from '../nothing-here.tsx'
import { Pickers } from '../pickers.tsx'
import { SearchBox } from '../search/search-box.tsx'
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
      <TopBar
        actions={
          <Pickers
            viewer={viewer}
            params={params}
            href={change => tracesHref(slug, params, change)}
            search={{ text: params.q, language: 'spans', href: q => tracesHref(slug, params, { q }) }}
            hasSpan
          />
        }
      >
        <h1>Traces</h1>
        <TraceViews viewer={viewer} params={params} />
      </TopBar>
      <div className="query">
        <SearchBox
          key={params.q}
          organizationSlug={slug}
          language="spans"
          typed={params.q}
          hiddenFields={keptParams(params)}
        />
      </div>
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
        <Blank
          title="This search has an error"
          actions={
            <Link className="btn" href={tracesHref(slug, params, { q: defaultQuery })}>
              Page views and requests
            </Link>
          }
        >
          See the note under the search box.
        </Blank>
      )}
    </>
  )
}
