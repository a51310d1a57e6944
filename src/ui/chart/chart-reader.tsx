'use client'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { clipText } from '#lib/text.ts'
import { formatBucket } from '../format.ts'
import { useZone } from '../time/zone-provider.tsx'
import { bucketAt } from './axis.ts'
import styles from './chart.module.css'

export type ReleaseMark = { release: string; at: number }
type Props = {
  label: string
  from: number
  stepMs: number
  readings: string[]
  marks: readonly ReleaseMark[]
  children?: ReactNode
}

/**
 * Says what the bucket under the pointer, the finger or the arrow keys holds. It lies over the plot, so nothing moves. As a slider it is
 * one tab stop, and its value is the reading.
 */
export function ChartReader({ label, from, stepMs, readings, marks, children }: Props) {
  const [index, setIndex] = useState<number | null>(null)
  const count = readings.length
  const begin = from + (index ?? 0) * stepMs
  const time = formatBucket(begin, stepMs, useZone())
  const releases = marks.filter(({ at }) => at >= begin && at < begin + stepMs).map(({ release }) => release)
  const reading = readings[index ?? 0] ?? ''

  function follow(event: PointerEvent): void {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setIndex(bucketAt((event.clientX - left) / width, count))
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') setIndex(null)
    const at = index ?? count - 1
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setIndex(Math.min(count - 1, Math.max(0, to)))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.reader}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(index ?? count - 1) + 1}
      aria-valuetext={index === null ? 'Use the arrow keys' : [time, reading, ...releases].join(', ')}
      onPointerDown={follow}
      onPointerMove={follow}
      // A finger leaves as soon as it is lifted; what it touched stays until the focus goes.
      onPointerLeave={event => event.pointerType === 'touch' || setIndex(null)}
      onKeyDown={onKeyDown}
      onBlur={() => setIndex(null)}
    >
      {children}
      {index === null ? null : (
        <>
          <span className={styles.bucket} style={{ left: `${(index / count) * 100}%`, width: `${100 / count}%` }} />
          <span
            className={styles.reading}
            data-side={index > count / 2 ? 'left' : 'right'}
            style={{ '--at': `${((index + (index > count / 2 ? 0 : 1)) / count) * 100}%` } as React.CSSProperties}
          >
            <span className={styles.when}>{time}</span>
            <b>{reading}</b>
            {releases.slice(0, 3).map(release => (
              <span key={release} className={styles.release}>
                {clipText(release, 60)}
              </span>
            ))}
          </span>
        </>
      )}
    </div>
  )
}
