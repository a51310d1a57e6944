import type { Metadata } from 'next'
import { cache } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import { findTrace } from '#domain/traces/find-trace.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { CopyLink } from '#ui/copy-button.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { findViewer, requireViewer } from '#web/viewer.ts'
import { pageTitle } from '../../../../page-title.ts'
import { Panel } from '../../../../panel.tsx'
import { NothingHere } from '../../nothing-here.tsx'
import { LiveTrace } from './live-trace.tsx'
import { TraceErrors, TraceLogs } from './trace-errors.tsx'
import { TraceHeading, traceName } from './trace-heading.tsx'
import { PlainSpan, TraceWaterfall } from './trace-waterfall.tsx'

type Props = {
  params: Promise<{ org: string; traceId: string }>
  searchParams: Promise<{ span?: string | string[] }>
}

/** Cached per request: the page and its title need it. */
const readTrace = cache((viewer: Viewer, traceId: string) => attempt('trace', findTrace(viewer, traceId)))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, traceId } = await params
  const admission = await findViewer(org)
  if (admission.kind !== 'viewer') return {}
  const found = await readTrace(admission.viewer, traceId)
  if (!found.ok) return pageTitle(`Trace ${traceId.slice(0, 8)}`)
  return found.value ? pageTitle(traceName(found.value), `trace ${traceId.slice(0, 8)}`) : pageTitle('Not found')
}

/** One trace across browser, edge and server, in all projects that the viewer can see. */
export default async function TracePage({ params, searchParams }: Props) {
  const { org, traceId } = await params
  const { span } = await searchParams
  const viewer = await requireViewer(org)
  // Read before the trace, so that spans in between are shown by a refresh and not missed.
  const arrived = await listProjects(viewer)
  const found = await readTrace(viewer, traceId)
  if (found.ok && !found.value) return <NothingHere organizationSlug={org} kind="Trace" name={traceId} list="traces" />
  const trace = found.ok ? found.value : null
  return (
    <>
      <TopBar actions={<CopyLink />}>
        <Trail stops={[{ href: `/${org}/traces`, label: 'Traces' }]} here={traceId.slice(0, 8)} />
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
