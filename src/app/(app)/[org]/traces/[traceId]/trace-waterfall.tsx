import type { Trace } from '#queries/trace/find-trace.ts'
import type { Viewer } from '#queries/viewer.ts'
import { packTrace } from '#ui/trace/pack-trace.ts'
import type { SpanLink } from '#ui/trace/span-details.ts'
import { writeTrace } from '#ui/trace/trace-text.ts'
import { Waterfall } from '#ui/trace/waterfall.tsx'
import { firstWindow } from './first-window.ts'
import { laneOf } from './lane-of.ts'
import { vitalViews } from './vital-views.ts'

const maxErrors = 50

export function TraceWaterfall({ viewer, trace }: { viewer: Viewer; trace: Trace }) {
  if (trace.spanCount === 0) return null
  const { roots, startUs, endUs } = trace.tree
  const errorsBySpan = Map.groupBy(
    trace.errors.filter(error => error.spanId !== ''),
    error => error.spanId,
  )
  const columns = packTrace({
    roots,
    startUs,
    endUs,
    laneOf: span => laneOf(viewer, trace, span),
    errorsBySpan: new Map([...errorsBySpan].map(([id, list]) => [id, list.length])),
    logsBySpan: trace.logs,
  })
  const base = `/${viewer.organization.slug}`
  const links = [...errorsBySpan]
    .slice(0, maxErrors)
    .map(([id, list]): [string, SpanLink[]] => [
      id,
      list.flatMap(({ issue, eventId, level, title }) =>
        issue ? [{ href: `${base}/issues/${issue.id}/events/${eventId}`, label: issue.shortId, level, title }] : [],
      ),
    ])
  return (
    <Waterfall
      packed={writeTrace(columns)}
      first={firstWindow(trace)}
      vitals={vitalViews(trace)}
      errors={Object.fromEntries(links)}
      path={`${base}/traces/${trace.traceId}`}
    />
  )
}
