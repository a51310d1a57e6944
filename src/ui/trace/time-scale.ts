import type { TraceColumns } from './trace-columns.ts'

/** A stretch of the trace in which nothing ran, and where it is drawn, in microseconds. */
export type IdleGap = { fromUs: number; toUs: number; drawnAtUs: number; drawnUs: number }

/**
 * Maps time in a trace to the time axis of its drawing, on which idle gaps are short. Everything with a width (bars, windows, handles) is
 * in drawn time; everything that is printed is in real time.
 */
export type TimeScale = {
  gaps: readonly IdleGap[]
  wholeUs: number
  draw(us: number): number
  undraw(drawnUs: number): number
}

const minGapUs = 1_000_000 // a shorter wait is worth seeing to scale
const minShare = 0.15 // of the trace
const drawnShare = 0.05 // of the rest, for each gap
const maxGaps = 6

export function scaleTime(columns: Pick<TraceColumns, 'kind' | 'start' | 'duration' | 'wholeUs'>): TimeScale {
  const found = findIdle(columns)
  const idleUs = found.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0)
  const drawnUs = Math.max(1, (columns.wholeUs - idleUs) * drawnShare)
  let savedUs = 0
  const gaps = found.map(({ fromUs, toUs }) => {
    const gap = { fromUs, toUs, drawnAtUs: fromUs - savedUs, drawnUs }
    savedUs += toUs - fromUs - drawnUs
    return gap
  })
  return {
    gaps,
    wholeUs: columns.wholeUs - savedUs,
    draw(us) {
      const gap = gaps.findLast(({ fromUs }) => us >= fromUs)
      if (gap === undefined) return us
      if (us >= gap.toUs) return gap.drawnAtUs + gap.drawnUs + (us - gap.toUs)
      return gap.drawnAtUs + ((us - gap.fromUs) / (gap.toUs - gap.fromUs)) * gap.drawnUs
    },
    undraw(drawn) {
      const gap = gaps.findLast(({ drawnAtUs }) => drawn >= drawnAtUs)
      if (gap === undefined) return drawn
      const past = drawn - gap.drawnAtUs
      if (past >= gap.drawnUs) return gap.toUs + past - gap.drawnUs
      return gap.fromUs + (past / gap.drawnUs) * (gap.toUs - gap.fromUs)
    },
  }
}

/** The longest stretches between spans, in order. A span that lasts is not idle, even if nothing else is known of that time. */
function findIdle({ kind, start, duration, wholeUs }: Pick<TraceColumns, 'kind' | 'start' | 'duration' | 'wholeUs'>) {
  const spans = kind.flatMap((each, row) => (each === 0 ? [row] : []))
  const gaps: { fromUs: number; toUs: number }[] = []
  let reachedUs = 0
  for (const row of spans.toSorted((a, b) => (start[a] ?? 0) - (start[b] ?? 0))) {
    const from = start[row] ?? 0
    if (from - reachedUs >= Math.max(minGapUs, wholeUs * minShare)) gaps.push({ fromUs: reachedUs, toUs: from })
    reachedUs = Math.max(reachedUs, from + (duration[row] ?? 0))
  }
  return gaps
    .toSorted((a, b) => b.toUs - b.fromUs - (a.toUs - a.fromUs))
    .slice(0, maxGaps)
    .toSorted((a, b) => a.fromUs - b.fromUs)
}
