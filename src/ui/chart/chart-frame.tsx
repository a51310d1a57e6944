import type { ReactNode } from 'react'
import styles from './chart.module.css'
import { ChartReader, type ReleaseMark } from './chart-reader.tsx'
import { TimeAxis } from './time-axis.tsx'

export type ChartTime = { from: number; to: number; stepMs: number }

type Props = ChartTime & {
  /** Names the chart for those who read it with the keyboard. */
  label: string
  /** What each bucket says: `12 events, 3 failed`. */
  readings: string[]
  marks?: readonly ReleaseMark[]
  /** The y-axis, from 0 to `top`. */
  top: number
  formatY: (value: number) => string
  /** An overlay that takes a drag over the plot. */
  brush?: ReactNode
  /** The drawing, an SVG as wide and high as the plot, and marks on it. */
  children: ReactNode
}

/** The frame of all charts over time: y-axis with grid lines, the drawing, what a bucket says on hover, focus or touch, and the times. */
export function ChartFrame({ label, readings, marks = [], top, formatY, brush, children, ...time }: Props) {
  const { from, to, stepMs } = time
  const middle = formatY(top / 2)
  return (
    <div className={styles.frame}>
      <div className={styles.y} aria-hidden="true">
        <span>{formatY(top)}</span>
        {/* A count of one has no middle. */}
        {top > 1 || !Number.isInteger(top) ? <span>{middle}</span> : null}
        <span>0</span>
      </div>
      <div className={`plot ${styles.plot}`}>
        {children}
        <ChartReader label={label} from={from} stepMs={stepMs} readings={readings} marks={marks}>
          {brush}
        </ChartReader>
      </div>
      <TimeAxis className={styles.x} from={from} to={to} stepMs={stepMs} />
    </div>
  )
}
