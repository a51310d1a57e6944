import { formatClock, formatMoment } from '../format.ts'
import styles from './release.module.css'

type Props = { activity: { from: number; stepMs: number; own: number[]; others: number[] }; release: string }

const height = 84
const unit = 16

/** The share of page views and sessions that a release has, over time. Steps without any are empty. */
export function AdoptionChart({ activity: { from, stepMs, own, others }, release }: Props) {
  const to = from + stepMs * own.length
  const shares = own.map((count, at) => {
    const all = count + (others[at] ?? 0)
    return all === 0 ? null : count / all
  })
  const last = shares.findLast(share => share !== null) ?? 0
  const label = `${release} had ${Math.round(last * 100)} % of page views and sessions at ${formatMoment(to)}`
  return (
    <figure className="otime">
      <span className="max">100 %</span>
      <div className="plot">
        <svg
          className={`bars ${styles.adoption}`}
          viewBox={`0 0 ${own.length * unit} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {shares.map((share, at) =>
            share === null ? null : (
              <g key={at}>
                <rect className={styles.rest} x={at * unit} y={2} width={unit * 0.75} height={height - 2} />
                <rect
                  className={styles.own}
                  x={at * unit}
                  y={height - share * (height - 2)}
                  width={unit * 0.75}
                  height={share * (height - 2)}
                />
              </g>
            ),
          )}
          <rect className="base" x="0" y={height - 0.5} width={own.length * unit} height=".5" />
        </svg>
      </div>
      <div className="axis" aria-hidden="true">
        {[0, 0.5, 1].map(share => (
          <span key={share}>{formatClock(from + (to - from) * share, to - from)}</span>
        ))}
      </div>
    </figure>
  )
}
