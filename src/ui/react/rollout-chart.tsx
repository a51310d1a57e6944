import { Check, X } from 'lucide-react'
import { formatWhole } from '#lib/format-whole.ts'
import { ChartReader } from '../chart/chart-reader.tsx'
import { Drawing } from '../chart/drawing.tsx'
import { TimeAxis } from '../chart/time-axis.tsx'
import { formatCount, formatMany } from '../format.ts'

type Props = {
  rollout: {
    from: number
    stepMs: number
    old: number[]
    fresh: number[]
    failures: number[]
    deploys: { version: string; at: number }[]
  }
  release: string
}

const height = 84
const unit = 16

/** Browser activity by release over time, with failures of the old release below and deploys as marks. */
export function RolloutChart({ rollout: { from, stepMs, old, fresh, failures, deploys }, release }: Props) {
  const width = old.length * unit
  const span = stepMs * old.length
  const to = from + span
  const max = Math.max(1, ...old.map((count, at) => count + (fresh[at] ?? 0)))
  const maxFailures = Math.max(1, ...failures)
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / max) * (height - 30)))
  const top = height - 18
  const left = (at: number) => `${Math.min(98, Math.max(0, ((at - from) / span) * 100)).toFixed(2)}%`
  const sum = (list: number[]) => formatWhole(Math.round(list.reduce((all, each) => all + each, 0)))
  const what = `${sum(old)} page views and sessions of ${release}, ${sum(fresh)} of other releases, ${sum(failures)} failures`
  return (
    <figure className="otime rollout">
      <div className="plot">
        <Drawing className="bars" {...{ from, to, stepMs }} width={width} height={height} what={what}>
          {old.map((count, at) => {
            const [one, two] = [tall(count), tall(fresh[at] ?? 0)]
            const failed = ((failures[at] ?? 0) / maxFailures) * 14
            return (
              <g key={at}>
                <rect className="old" x={at * unit} y={top - one} width={unit * 0.75} height={one} />
                <rect className="fresh" x={at * unit} y={top - one - two} width={unit * 0.75} height={two} />
                {failed > 0 ? (
                  <rect className="hot" x={at * unit} y={top + 3} width={unit * 0.75} height={Math.max(2, failed)} />
                ) : null}
              </g>
            )
          })}
          <rect className="base" x="0" y={top} width={width} height=".5" />
        </Drawing>
        {deploys.map(({ version, at }) => (
          <span key={version} className={(at - from) / span > 0.7 ? 'rel left' : 'rel'} style={{ left: left(at) }}>
            {version.slice(0, 24)}
          </span>
        ))}
        <ChartReader
          label="Releases over time"
          {...{ from, stepMs }}
          marks={deploys.map(({ version, at }) => ({ release: version, at }))}
          readings={old.map((count, at) =>
            [
              `${formatCount(Math.round(count))} of this release`,
              `${formatCount(Math.round(fresh[at] ?? 0))} of others`,
              formatMany(failures[at] ?? 0, 'failure'),
            ].join(', '),
          )}
        />
      </div>
      <TimeAxis className="axis" {...{ from, to, stepMs }} />
      <figcaption className="keys">
        <span className="k old">{release.slice(0, 40)}</span>
        <span className="k fresh">other releases</span>
        <span className="k hot">failures</span>
      </figcaption>
    </figure>
  )
}

type EvidenceProps = { checks: { text: string; fits: boolean }[] }

/** The checks for a cause and their results. */
export function Evidence({ checks }: EvidenceProps) {
  return (
    <ul className="evid">
      {checks.map(({ text, fits }) => (
        <li key={text}>
          {fits ? <Check className="i good" aria-hidden="true" /> : <X className="i t3" aria-hidden="true" />}
          <span className={fits ? '' : 't3'}>{text}</span>
          <span className="t3">{fits ? 'found' : 'not found'}</span>
        </li>
      ))}
    </ul>
  )
}
