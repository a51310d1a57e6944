import type { Viewer } from '#domain/access/viewer.ts'
import { findSpanPosition, type SpanPosition } from '#domain/traces/find-span-position.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatDuration } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { MiniWaterfall, shownTime } from '#ui/trace/mini-waterfall.tsx'
import { attempt } from '#web/attempt.ts'
import { toMiniRow } from '../../mini-rows.ts'

type Props = { viewer: Viewer; event: { trace_id: string; span_id: string; timestamp: number } }

const noTrace = /^0+$/

/** The spans around the event. Nothing if the event has no trace or no span of it was received. */
export async function TraceSection({ viewer, event }: Props) {
  if (noTrace.test(event.trace_id)) return null
  const found = await attempt('trace of an event', findSpanPosition(viewer, event))
  if (!found.ok) return <FailedPanel what="Trace" reference={found.reference} />
  if (!found.value || found.value.rows.length === 0) return null
  const { traceId, spanCount, durationUs, failedSpanIds, rows } = found.value
  const path = `/${viewer.organization.slug}/traces/${traceId}`
  const href = event.span_id === '' ? path : `${path}#span-${event.span_id}`
  return (
    <Section
      id="trace"
      title="Trace"
      note={
        <>
          <span className="mono">{traceId.slice(0, 8)}</span>, {rows.length} of {formatWhole(spanCount)} spans,{' '}
          {shownOf(rows, durationUs)}
        </>
      }
      actions={
        <Link className="link" href={href}>
          Open trace
        </Link>
      }
    >
      <MiniWaterfall rows={rows.map(row => toMiniRow(row, { path, spanId: event.span_id, failedSpanIds }))} />
      {failedSpanIds.length > 1 ? (
        <p className="t3">
          <Link className="link" href={`${path}#errors`}>
            {failedSpanIds.length} errors
          </Link>{' '}
          in this trace.
        </p>
      ) : null}
    </Section>
  )
}

/** The rows around an event are rarely the whole trace: `772 ms of 15.2 s`. */
function shownOf(rows: SpanPosition['rows'], wholeUs: number): string {
  const { fromUs, toUs } = shownTime(rows.map(({ node }) => node))
  const [shown, whole] = [formatDuration(toUs - fromUs), formatDuration(wholeUs)]
  return shown === whole ? whole : `${shown} of ${whole}`
}
