import type { Metadata } from 'next'
import { listProjects } from '#domain/projects/list-projects.ts'
import { findTrace } from '#domain/traces/find-trace.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { CopyLink } from '#ui/copy-button.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { NotFoundHere } from '../../../../entry-card.tsx'
import { Panel } from '../../../../panel.tsx'
import { LiveTrace } from './live-trace.tsx'
import { TraceErrors, TraceLogs } from './trace-errors.tsx'
import { TraceHeading } from './trace-heading.tsx'
import { PlainSpan, TraceWaterfall } from './trace-waterfall.tsx'

export const metadata: Metadata = { title: 'Trace' }

type Props = {
  params: Promise<{ org: string; traceId: string }>
  searchParams: Promise<{ span?: string | string[] }>
}

/** One trace across browser, edge and server, in all projects that the viewer can see. */
export default async function TracePage({ params, searchParams }: Props) {
  const { org, traceId } = await params
  const { span } = await searchParams
  const viewer = await requireViewer(org)
  // Read before the trace, so that spans in between are shown by a refresh and not missed.
  const arrived = await listProjects(viewer)
  const found = await attempt('trace', findTrace(viewer, traceId))
  if (found.ok && !found.value) return <NotFoundHere />
  const trace = found.ok ? found.value : null
  return (
    <>
      <TopBar actions={<CopyLink />}>
        <Trail stops={[{ href: `/${org}/traces`, label: 'Traces' }]} here={traceId.slice(0, 32)} />
      </TopBar>
      {!found.ok ? <FailedPanel what="This trace" reference={found.reference} /> : null}
      {trace ? (
        <>
          <TraceHeading viewer={viewer} trace={trace} />
          <TraceErrors viewer={viewer} trace={trace} />
          {typeof span === 'string' ? (
            <Panel what="Span">
              <PlainSpan viewer={viewer} traceId={traceId} spanId={span} />
            </Panel>
          ) : null}
          <Panel what="Waterfall">
            <TraceWaterfall viewer={viewer} trace={trace} />
          </Panel>
          <Panel what="Log lines">
            <TraceLogs viewer={viewer} trace={trace} />
          </Panel>
          <LiveTrace
            organizationSlug={org}
            counts={arrived.map(({ id, itemCount }) => ({ projectId: id, itemCount }))}
            endedAt={trace.tree.endUs / 1_000}
            now={viewer.now}
          />
        </>
      ) : null}
    </>
  )
}
