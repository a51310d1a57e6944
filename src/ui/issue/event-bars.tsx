import { formatWhole } from '#lib/format-whole.ts'
import { countAxisTop } from '../chart/axis.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import type { ReleaseMark } from '../chart/chart-reader.tsx'
import { Drawing } from '../chart/drawing.tsx'
import { DataTable, numeric } from '../data-table.tsx'
import { formatCount, formatMany } from '../format.ts'
import { Link } from '../link.tsx'
import { Moment } from '../time/moment.tsx'
import { Brush } from './brush.tsx'
import { rangeHref } from './range-href.ts'

type Bars = { from: number; to: number; stepMs: number; counts: number[] }

const height = 84
const unit = 16 // width of a bar with its gap, in SVG units

type Props = {
  bars: Bars
  marks: ReleaseMark[]
  /** The page to open for a time range; without it the chart is not interactive. */
  path?: string
  search?: string
  hasTable?: boolean
}

/** Events over time, rendered on the server. Hover to read a bar, drag to choose a time range, or use the table. */
export function EventBars({ bars, marks, path, search = '', hasTable = true }: Props) {
  const { from, to, stepMs, counts } = bars
  const max = Math.max(1, ...counts)
  const top = countAxisTop(max)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const width = counts.length * unit
  const left = (at: number) => `${Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100)).toFixed(2)}%`
  return (
    <figure className="otime">
      <ChartFrame
        label="Events over time"
        {...{ from, to, stepMs, marks, top }}
        formatY={formatCount}
        readings={counts.map(count => formatMany(count, 'event'))}
        brush={path === undefined ? null : <Brush from={from} to={to} path={path} search={search} />}
      >
        <Drawing
          className="bars"
          {...{ from, to, stepMs }}
          width={width}
          height={height}
          what={`${formatWhole(total)} events`}
          rest={`, max ${formatWhole(max)} per bar`}
        >
          {counts.map((count, index) => {
            const tall = count === 0 ? 0 : Math.max(2, (count / top) * height)
            return <rect key={index} x={index * unit} y={height - tall} width={unit * 0.75} height={tall} />
          })}
          <rect className="base" x="0" y={height - 0.5} width={width} height=".5" />
        </Drawing>
        {marks.map(({ release, at }, index) => (
          <span
            key={release}
            className={`rel${index === marks.length - 1 ? ' hot' : ''}${(at - from) / (to - from) > 0.7 ? ' left' : ''}`}
            style={{ left: left(at) }}
          >
            {release.slice(0, 24)}
          </span>
        ))}
      </ChartFrame>
      {hasTable ? <BarTable bars={bars} search={search} {...(path === undefined ? {} : { path })} /> : null}
    </figure>
  )
}

/** The chart as a table with links to time ranges: for screen readers, keyboards and without JavaScript. */
function BarTable({ bars, path, search }: { bars: Bars; path?: string; search: string }) {
  const rows = bars.counts
    .map((count, index) => ({ count, start: bars.from + index * bars.stepMs }))
    .filter(({ count }) => count > 0)
  return (
    <details className="astable">
      <summary>View as table</summary>
      <DataTable label="Events over time" columns={['From', numeric('Events')]}>
        {rows.map(({ count, start }) => (
          <tr key={start}>
            <td>
              {path === undefined ? (
                <Moment at={start} />
              ) : (
                <Link className="link" href={rangeHref(path, search, start, start + bars.stepMs)}>
                  <Moment at={start} />
                </Link>
              )}
            </td>
            <td className="num">{formatWhole(count)}</td>
          </tr>
        ))}
      </DataTable>
    </details>
  )
}
