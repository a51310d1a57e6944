import { formatWhole } from '#lib/format-whole.ts'
import { countAxisTop } from '../chart/axis.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { Drawing } from '../chart/drawing.tsx'
import { DataTable, numeric } from '../data-table.tsx'
import { formatCount, formatMany } from '../format.ts'
import { Brush } from '../issue/brush.tsx'
import { rangeHref } from '../issue/range-href.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { Moment } from '../time/moment.tsx'
import styles from './level-bars.module.css'

type Props = {
  from: number
  to: number
  stepMs: number
  /** Lines per step, the least severe level first. */
  levels: { level: string; counts: number[] }[]
  /** The page to open for a time range. */
  path: string
  search: string
}

const height = 72
const unit = 16

/** Log lines over time, stacked by level. Hover to read a bar, drag to choose a time range, or use the table. */
export function LevelBars({ from, to, stepMs, levels, path, search }: Props) {
  const sums = Array.from({ length: levels[0]?.counts.length ?? 0 }, (_, step) =>
    levels.reduce((sum, { counts }) => sum + (counts[step] ?? 0), 0),
  )
  const total = sums.reduce((sum, count) => sum + count, 0)
  const max = Math.max(1, ...sums)
  const top = countAxisTop(max)
  const worst = levels.toReversed()
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / top) * height))
  return (
    <figure className={styles.figure}>
      <figcaption>
        {worst.map(({ level, counts }) => (
          <span key={level}>
            <Level level={level} /> <b>{formatCount(counts.reduce((sum, count) => sum + count, 0))}</b> {level}
          </span>
        ))}
        <span className={styles.hint}>Drag to zoom</span>
      </figcaption>
      <ChartFrame
        label="Log lines over time"
        {...{ from, to, stepMs, top }}
        formatY={formatCount}
        readings={sums.map((sum, step) => reading(sum, worst, step))}
        brush={<Brush from={from} to={to} path={path} search={search} />}
      >
        <Drawing
          className={styles.bars ?? ''}
          {...{ from, to, stepMs }}
          width={sums.length * unit}
          height={height}
          what={formatMany(total, 'log line')}
          rest={`, ${worst.map(({ level, counts }) => `${formatWhole(counts.reduce((sum, count) => sum + count, 0))} ${level}`).join(', ')}; max ${formatWhole(max)} per bar`}
        >
          {sums.map((_, step) => {
            let y = height
            return worst.map(({ level, counts }) => {
              const size = tall(counts[step] ?? 0)
              y -= size
              return size === 0 ? null : (
                <rect
                  key={`${step}-${level}`}
                  data-level={level}
                  x={step * unit}
                  y={y}
                  width={unit * 0.82}
                  height={size}
                />
              )
            })
          })}
          <rect className={styles.base} x="0" y={height - 0.5} width={sums.length * unit} height=".5" />
        </Drawing>
      </ChartFrame>
      <details className="astable">
        <summary>View as table</summary>
        <DataTable label="Log lines over time" columns={['From', ...worst.map(({ level }) => numeric(level))]}>
          {sums.map((sum, step) =>
            sum === 0 ? null : (
              <tr key={step}>
                <td>
                  <Link
                    className="link"
                    href={rangeHref(path, search, from + step * stepMs, from + (step + 1) * stepMs)}
                  >
                    <Moment at={from + step * stepMs} />
                  </Link>
                </td>
                {worst.map(({ level, counts }) => (
                  <td key={level} className="num">
                    {formatWhole(counts[step] ?? 0)}
                  </td>
                ))}
              </tr>
            ),
          )}
        </DataTable>
      </details>
    </figure>
  )
}

function reading(sum: number, levels: Props['levels'], step: number): string {
  const parts = levels.flatMap(({ level, counts }) => (counts[step] ? [`${formatCount(counts[step])} ${level}`] : []))
  return parts.length < 2
    ? formatMany(sum, 'line') + (parts.length === 1 ? ` (${levels.find(each => each.counts[step])?.level})` : '')
    : parts.join(', ')
}
