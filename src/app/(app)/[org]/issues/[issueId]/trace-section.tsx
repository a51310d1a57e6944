import { findPlaceInTrace, type PlaceInTrace } from '#queries/trace/find-place-in-trace.ts'
import type { Viewer } from '#queries/viewer.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { formatDuration } from '#ui/format-duration.ts'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/section.tsx'
import { type MiniRow, MiniWaterfall } from '#ui/trace/mini-waterfall.tsx'
import { attempt } from '#web/attempt.ts'

type Props = { viewer: Viewer; event: { trace_id: string; span_id: string } }

const noTrace = /^0+$/

/** The event's place in its trace. Nothing is drawn where the event has none, or where no span of it was received. */
export async function TraceSection({ viewer, event }: Props) {
  if (noTrace.test(event.trace_id)) return null
  const found = await attempt('trace of an event', findPlaceInTrace(viewer, event.trace_id, event.span_id))
  if (!found.ok) return <FailedPanel what="Trace" reference={found.reference} />
  if (!found.value || found.value.rows.length === 0) return null
  const { trace, rows } = found.value
  const path = `/${viewer.organization.slug}/traces/${trace.traceId}`
  const href = event.span_id === '' ? path : `${path}#span-${event.span_id}`
  const whole = formatDuration(trace.tree.endUs - trace.tree.startUs)
  return (
    <Section
      id="trace"
      title="Trace"
      note={
        <>
          <span className="mono">{trace.traceId.slice(0, 8)}</span>, {rows.length} of{' '}
          {trace.spanCount.toLocaleString('en-US')} spans, {whole}
        </>
      }
      actions={
        <Link className="link" href={href}>
          Open trace
        </Link>
      }
    >
      <MiniWaterfall rows={rows.map(row => toRow(found.value as PlaceInTrace, row, path))} />
      {trace.errors.length > 1 ? (
        <p className="t3">
          <Link className="link" href={`${path}#errors`}>
            {trace.errors.length} errors
          </Link>{' '}
          happened in this trace.
        </p>
      ) : null}
    </Section>
  )
}

function toRow({ trace, spanId }: PlaceInTrace, { node, depth }: PlaceInTrace['rows'][number], path: string): MiniRow {
  const hasErrors = trace.errors.some(error => error.spanId === node.id)
  return {
    id: node.id,
    href: `${path}#span-${node.id}`,
    depth,
    place: node.span?.place ?? '',
    op: node.span?.op ?? '',
    name: node.name || `span ${node.id}`,
    startUs: node.startUs,
    durationUs: node.durationUs,
    isBad: hasErrors || (node.span?.isFailed ?? false),
    isHere: node.id === spanId,
  }
}
