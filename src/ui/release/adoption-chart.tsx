import { Drawing } from '../chart/drawing.tsx'
import { TimeAxis } from '../chart/time-axis.tsx'
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
  const what = `${release} reached ${Math.round(last * 100)} % of page views and sessions`
  return (
    <figure className="otime">
      <span className="max">100 %</span>
      <div className="plot">
        <Drawing
          className={`bars ${styles.adoption}`}
          {...{ from, to, stepMs }}
          width={own.length * unit}
          height={height}
          what={what}
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
        </Drawing>
      </div>
      <TimeAxis className="axis" {...{ from, to, stepMs }} ticks={3} />
    </figure>
  )
}
