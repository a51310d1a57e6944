import { axisTop } from '../chart/axis.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { formatVital } from './vital-card.tsx'

type Props = {
  name: string
  label: string
  /** The upper bound of "good"; null if there is none. */
  good: number | null
  trend: { from: number; to: number; steps: (number | null)[] }
}
const height = 110

/** A percentile over time, rendered on the server. A step without data breaks the line. */
export function TrendChart({ name, label, good, trend }: Props) {
  const { steps, from, to } = trend
  const known = steps.filter(step => step !== null)
  if (known.length === 0) return <p className="t3">No data in this time range.</p>
  const most = axisTop(Math.max(...known, good ?? 0))
  const y = (value: number) => (height - (value / most) * height).toFixed(1)
  const words = `${label}, 75th percentile, between ${formatVital(name, Math.min(...known))} and ${formatVital(name, Math.max(...known))}`
  return (
    <figure className="rcourse">
      <figcaption className="t3">
        {words}
        {good === null ? '' : `; good up to ${formatVital(name, good)}`}
      </figcaption>
      <ChartFrame
        label={`${label} over time`}
        {...{ from, to, top: most }}
        stepMs={(to - from) / steps.length}
        formatY={value => formatVital(name, value)}
        readings={steps.map(step => (step === null ? 'no data' : `p75 ${formatVital(name, step)}`))}
      >
        <svg viewBox={`0 0 ${steps.length} ${height}`} preserveAspectRatio="none" role="img" aria-label={words}>
          {good === null ? null : <line x1="0" x2={steps.length} y1={y(good)} y2={y(good)} />}
          <path
            d={steps
              .map((step, index) => (step === null ? '' : `${isFirst(index) ? 'M' : 'L'}${index} ${y(step)}h1`))
              .join('')}
          />
        </svg>
      </ChartFrame>
    </figure>
  )

  function isFirst(index: number): boolean {
    return index === 0 || (steps[index - 1] ?? null) === null
  }
}
