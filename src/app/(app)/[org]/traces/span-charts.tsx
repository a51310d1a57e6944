import { measureSpans } from '#queries/span-list/measure-spans.ts'
import type { SpanFilter } from '#queries/span-list/span-filter.ts'
import type { Viewer } from '#queries/viewer.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { DurationChart } from '#ui/trace/duration-chart.tsx'
import { ThroughputChart } from '#ui/trace/throughput-chart.tsx'
import { attempt } from '#web/attempt.ts'

export async function SpanCharts({ viewer, filter }: { viewer: Viewer; filter: SpanFilter }) {
  // The charts are of the whole search, whichever page of it is looked at.
  const measured = await attempt('span measures', measureSpans(viewer, filter))
  if (!measured.ok) return <FailedPanel what="Durations over time" reference={measured.reference} />
  if (measured.value.whole.count === 0) return null // the table says it
  return (
    <div className="tcharts">
      <DurationChart measures={measured.value} />
      <ThroughputChart measures={measured.value} />
    </div>
  )
}
