import { formatClock } from '../format-clock.ts'
import { formatCount } from '../format-count.ts'
import { Axis } from './duration-chart.tsx'
import type { Measures } from './measures.ts'

const height = 96
const unit = 16

/** How many spans there were over time, and how many of them failed. */
export function ThroughputChart({ measures: { steps, from, to, whole, stepMs } }: { measures: Measures }) {
  const max = Math.max(1, ...steps.map(step => step?.count ?? 0))
  const perMinute = whole.count / Math.max(1, (to - from) / 60_000)
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / max) * (height - 4)))
  return (
    <figure className="tchart">
      <figcaption>
        <span className="t3">Throughput</span>
        <span>
          <b>{formatCount(whole.count)}</b> spans
        </span>
        <span>
          <b>{rate(perMinute)}</b> a minute
        </span>
        <span className={whole.failed > 0 ? 'bad' : undefined}>
          <b>{formatCount(whole.failed)}</b> failed{share(whole.failed, whole.count)}
        </span>
        <span className="max">at most {formatCount(max)}</span>
      </figcaption>
      <svg
        className="bars"
        viewBox={`0 0 ${steps.length * unit} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${whole.count.toLocaleString('en-US')} spans between ${formatClock(from, to - from)} and ${formatClock(to, to - from)} UTC, ${whole.failed.toLocaleString('en-US')} of them failed; at most ${max.toLocaleString('en-US')} in ${Math.round(stepMs / 60_000)} minutes`}
      >
        {steps.map((step, index) => {
          const all = tall(step?.count ?? 0)
          const bad = tall(step?.failed ?? 0)
          return (
            <g key={index}>
              <rect x={index * unit} y={height - all} width={unit * 0.75} height={all} />
              {bad > 0 ? (
                <rect className="bad" x={index * unit} y={height - bad} width={unit * 0.75} height={bad} />
              ) : null}
            </g>
          )
        })}
      </svg>
      <Axis from={from} to={to} />
    </figure>
  )
}

const rate = (perMinute: number): string =>
  perMinute < 0.1 ? '<0.1' : perMinute < 10 ? perMinute.toFixed(1) : formatCount(Math.round(perMinute))

function share(part: number, whole: number): string {
  if (part === 0 || whole === 0) return ''
  const percent = (part / whole) * 100
  return `, ${percent < 1 ? '<1' : Math.round(percent)} %`
}
