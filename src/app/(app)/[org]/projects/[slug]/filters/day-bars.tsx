import { formatCount } from '#ui/format-count.ts'

const height = 28
const unit = 8

/** How many were dropped on each of the last days, today last. */
export function DayBars({ counts, days }: { counts: number[]; days: number }) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return <span className="t3">none in {days} days</span>
  const max = Math.max(...counts)
  const today = counts.at(-1) ?? 0
  const label = `${total.toLocaleString('en-US')} dropped in ${days} days, ${today.toLocaleString('en-US')} of them today`
  return (
    <>
      <svg
        className="bars"
        width={days * unit}
        height={height}
        viewBox={`0 0 ${days * unit} ${height}`}
        role="img"
        aria-label={label}
      >
        {counts.map((count, index) => {
          const tall = count === 0 ? 0 : Math.max(2, (count / max) * (height - 1))
          return <rect key={index} x={index * unit} y={height - tall} width={unit - 2} height={tall} />
        })}
        <rect className="base" x="0" y={height - 0.5} width={days * unit} height=".5" />
      </svg>
      <span>
        <b>{formatCount(total)}</b> <span className="t3">in {days} d</span>
        <br />
        <span className="t3">{formatCount(today)} today</span>
      </span>
    </>
  )
}
