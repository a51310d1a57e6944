import { listSpans } from '#queries/span-list/list-spans.ts'
import type { SpanFilter } from '#queries/span-list/span-filter.ts'
import type { Viewer } from '#queries/viewer.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { Link } from '#ui/link.tsx'
import { SpanListTable } from '#ui/trace/span-list-table.tsx'
import { attempt } from '#web/attempt.ts'
import { NoTraces } from './no-traces.tsx'
import { type TraceParams, tracesHref } from './search-params.ts'

type Props = { viewer: Viewer; filter: SpanFilter; params: TraceParams }

export async function SpanTable({ viewer, filter, params }: Props) {
  const page = await attempt('spans', listSpans(viewer, filter))
  if (!page.ok) return <FailedPanel what="Traces" reference={page.reference} />
  const { spans, next } = page.value
  const { slug } = viewer.organization
  if (spans.length === 0) return <NoTraces viewer={viewer} params={params} />
  const slugOf = new Map(viewer.projects.map(project => [project.id, project.slug]))
  return (
    <>
      <SpanListTable
        now={viewer.now}
        rows={spans.map(span => ({
          ...span,
          href: `/${slug}/traces/${span.traceId}#span-${span.spanId}`,
          project: slugOf.get(span.projectId) ?? '',
        }))}
      />
      <footer className="lfoot">
        <span>
          {spans.length} spans, {params.sort === 'newest' ? 'the newest first' : 'the slowest first'}
        </span>
        <span className="pages">
          {params.after ? <Link href={tracesHref(slug, params)}>First page</Link> : null}
          {next ? (
            <Link className="btn s" href={tracesHref(slug, params, { after: next })} rel="next">
              Next page
            </Link>
          ) : null}
        </span>
      </footer>
    </>
  )
}
