import { formatWhole } from '#lib/format-whole.ts'
import { axisTop, countAxisTop } from '../chart/axis.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { Drawing } from '../chart/drawing.tsx'
import { DataTable, numeric } from '../data-table.tsx'
import { formatCount, formatDuration, formatMany } from '../format.ts'
import { Moment } from '../time/moment.tsx'

const height = 96
const lines = [
  { key: 'p95Us', label: 'p95', series: 3 },
  { key: 'p75Us', label: 'p75', series: 2 },
  { key: 'p50Us', label: 'p50', series: 1 },
] as const

/** Durations over time, rendered on the server. A step without spans breaks the lines. */
export function DurationChart({ measures }: { measures: Measures }) {
  const { steps, from, to, stepMs, whole } = measures
  const top = axisTop(Math.max(1, ...steps.map(step => step?.p95Us ?? 0)))
  const y = (us: number) => (height - (us / top) * height).toFixed(1)
  return (
    <figure className="tchart">
      <figcaption>
        <span className="t3">Duration</span>
        {lines.toReversed().map(({ key, label, series }) => (
          <span key={key}>
            <i style={{ background: `var(--series-${series})` }} /> {label} <b>{formatDuration(whole[key])}</b>
          </span>
        ))}
      </figcaption>
      <ChartFrame
        label="Durations over time"
        {...{ from, to, stepMs, top }}
        formatY={formatDuration}
        readings={steps.map(step =>
          step ? lines.map(({ key, label }) => `${label} ${formatDuration(step[key])}`).join(', ') : 'no spans',
        )}
      >
        <Drawing
          {...{ from, to, stepMs }}
          width={steps.length}
          height={height}
          what="Durations"
          rest={`: median ${formatDuration(whole.p50Us)}, 95 % within ${formatDuration(whole.p95Us)}`}
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
        </Drawing>
      </ChartFrame>
      <MeasureTable measures={measures} />
    </figure>
  )

  function isFirst(index: number): boolean {
    return index === 0 || !steps[index - 1]
  }
}

const throughputHeight = 96
const unit = 16

/** Spans over time, with the failed ones highlighted. */
export function ThroughputChart({ measures: { steps, from, to, whole, estimate, stepMs } }: { measures: Measures }) {
  const max = Math.max(1, ...steps.map(step => step?.count ?? 0))
  const top = countAxisTop(max)
  const isSampled = whole.count < Math.round(estimate)
  const perMinute = (isSampled ? estimate : whole.count) / Math.max(1, (to - from) / 60_000)
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / top) * throughputHeight))
  return (
    <figure className="tchart">
      <figcaption>
        <span className="t3">Throughput</span>
        <span>
          <b>{formatCount(whole.count)}</b> spans
          {isSampled ? `, a sample of ≈ ${formatCount(Math.round(estimate))}` : ''}
        </span>
        <span>
          <b>
            {isSampled ? '≈ ' : ''}
            {rate(perMinute)}
          </b>{' '}
          per minute
        </span>
        <span className={whole.failed > 0 ? 'bad' : undefined}>
          <b>{formatCount(whole.failed)}</b> failed{share(whole.failed, whole.count)}
        </span>
      </figcaption>
      <ChartFrame
        label="Spans over time"
        {...{ from, to, stepMs, top }}
        formatY={formatCount}
        readings={steps.map(step =>
          step
            ? `${formatMany(step.count, 'span')}${step.failed > 0 ? `, ${formatCount(step.failed)} failed` : ''}`
            : '0 spans',
        )}
      >
        <Drawing
          className="bars"
          {...{ from, to, stepMs }}
          width={steps.length * unit}
          height={throughputHeight}
          what={`${formatWhole(whole.count)} spans`}
          rest={`, ${formatWhole(whole.failed)} of them failed; max ${formatWhole(max)} in ${formatDuration(stepMs * 1e3)}`}
        >
          {steps.map((step, index) => {
            const all = tall(step?.count ?? 0)
            const bad = tall(step?.failed ?? 0)
            return (
              <g key={index}>
                <rect x={index * unit} y={throughputHeight - all} width={unit * 0.75} height={all} />
                {bad > 0 ? (
                  <rect className="bad" x={index * unit} y={throughputHeight - bad} width={unit * 0.75} height={bad} />
                ) : null}
              </g>
            )
          })}
        </Drawing>
      </ChartFrame>
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

/** The data of both charts as a table. */
function MeasureTable({ measures: { steps, from, stepMs } }: { measures: Measures }) {
  return (
    <details className="astable">
      <summary>View as table</summary>
      <DataTable label="Spans over time" columns={['From', ...['Spans', 'Failed', 'p50', 'p75', 'p95'].map(numeric)]}>
        {steps.map((step, index) =>
          step ? (
            <tr key={index}>
              <td>
                <Moment at={from + index * stepMs} />
              </td>
              <td className="num">{formatWhole(step.count)}</td>
              <td className="num">{formatWhole(step.failed)}</td>
              <td className="num">{formatDuration(step.p50Us)}</td>
              <td className="num">{formatDuration(step.p75Us)}</td>
              <td className="num">{formatDuration(step.p95Us)}</td>
            </tr>
          ) : null,
        )}
      </DataTable>
    </details>
  )
}

type Step = { count: number; failed: number; p50Us: number; p75Us: number; p95Us: number }
/** Steps of equal length from `from` to `to`, oldest first; null without spans. */
type Measures = {
  from: number
  to: number
  stepMs: number
  steps: (Step | null)[]
  whole: Step
  /** More than were counted if SDKs have sent a sample. */
  estimate: number
}
