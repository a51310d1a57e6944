import { formatClock } from '../format-clock.ts'
import { formatDuration } from '../format-duration.ts'
import { MeasureTable } from './measure-table.tsx'
import type { Measures } from './measures.ts'

const height = 96
const lines = [
  { key: 'p95Us', label: 'p95', series: 3 },
  { key: 'p75Us', label: 'p75', series: 2 },
  { key: 'p50Us', label: 'p50', series: 1 },
] as const

/** How long spans took over time, drawn on the server. A step without spans breaks the lines: nothing is made up between. */
export function DurationChart({ measures }: { measures: Measures }) {
  const { steps, from, to, whole } = measures
  const max = Math.max(1, ...steps.map(step => step?.p95Us ?? 0))
  const y = (us: number) => (height - 2 - (us / max) * (height - 6)).toFixed(1)
  return (
    <figure className="tchart">
      <figcaption>
        <span className="t3">Duration</span>
        {lines.toReversed().map(({ key, label, series }) => (
          <span key={key}>
            <i style={{ background: `var(--series-${series})` }} /> {label} <b>{formatDuration(whole[key])}</b>
          </span>
        ))}
        <span className="max">at most {formatDuration(max)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${steps.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Durations between ${formatClock(from, to - from)} and ${formatClock(to, to - from)} UTC: median ${formatDuration(whole.p50Us)}, 95 % within ${formatDuration(whole.p95Us)}`}
      >
        {lines.map(({ key, series }) => (
          <path
            key={key}
            d={steps
              .map((step, index) => (step ? `${isFirst(index) ? 'M' : 'L'}${index} ${y(step[key])}h1` : ''))
              .join('')}
            style={{ stroke: `var(--series-${series})` }}
          />
        ))}
      </svg>
      <Axis from={from} to={to} />
      <MeasureTable measures={measures} />
    </figure>
  )

  function isFirst(index: number): boolean {
    return index === 0 || !steps[index - 1]
  }
}

export function Axis({ from, to }: { from: number; to: number }) {
  return (
    <div className="axis" aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map(share => (
        <span key={share}>{formatClock(from + (to - from) * share, to - from)}</span>
      ))}
    </div>
  )
}
