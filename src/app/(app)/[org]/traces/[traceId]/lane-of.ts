import type { Trace } from '#queries/trace/find-trace.ts'
import type { Viewer } from '#queries/viewer.ts'
import { formatOffset } from '#ui/format-offset.ts'
import { shorten } from '#ui/shorten.ts'
import type { Lane } from '#ui/trace/trace-columns.ts'

type Measured = { place: string; clock: string; segmentId: string; projectId: number }

/** Whose spans these are: the project, the browser or host, and how far its clock had to be moved. */
export function laneOf(viewer: Viewer, { segments, tree }: Trace, span: Measured): Lane {
  const segment = segments.get(span.segmentId)
  const project = viewer.projects.find(({ id }) => id === span.projectId)?.slug ?? ''
  const shiftUs = tree.shifts.get(span.clock) ?? 0
  const known = span.place === 'browser' ? segment?.browser : segment?.host
  const shift =
    shiftUs === 0 ? '' : `clock corrected ${formatOffset(Math.round(shiftUs / 1_000) || Math.sign(shiftUs))}`
  return { place: span.place, note: [project, shorten(known ?? '', 60), shift].filter(Boolean).join(', ') }
}
