'use client'
import { memo } from 'react'
import { zonedIso } from '#lib/time-zone.ts'
import { formatMoment } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { useZone } from '#ui/time/zone-provider.tsx'
import { Wire } from '#ui/wire.tsx'
import type { LineView } from './line-view.ts'
import styles from './logs.module.css'

type Props = {
  line: LineView
  index: number
  /** `/acme` */
  base: string
  isOpen: boolean
  isCursor: boolean
  hasDate: boolean
  hasTraces: boolean
  isNew?: boolean
}

/** One line of the list: a button that opens it, the chosen columns, and a link to its trace. The list handles clicks and keys. */
export const LogRow = memo(function LogRow(props: Props) {
  const { line, index, base, isOpen, isCursor, hasDate, hasTraces, isNew } = props
  return (
    <div className={styles.row} data-level={line.level} data-open={isOpen || undefined} data-new={isNew || undefined}>
      <button
        type="button"
        className={styles.line}
        data-row={index}
        tabIndex={isCursor ? 0 : -1}
        aria-expanded={isOpen}
      >
        <LineTime at={line.at} hasDate={hasDate} />
        <Level level={line.level} />
        <Wire side={line.side} />
        <bdi className={styles.body}>
          {line.body === '' ? <span className="t3">(empty)</span> : line.body}
          {line.isCut ? '…' : ''}
        </bdi>
      </button>
      {line.cells.map((cell, at) => (
        <bdi key={at} className={styles.cell} title={cell}>
          {cell}
        </bdi>
      ))}
      {hasTraces ? (
        line.traceId === '' ? (
          <span className={styles.trace}>–</span>
        ) : (
          <Link
            className={styles.trace}
            href={`${base}/traces/${line.traceId}`}
            aria-label={`Trace ${line.traceId.slice(0, 8)}`}
            tabIndex={isCursor ? 0 : -1}
          >
            {line.traceId.slice(0, 8)}
          </Link>
        )
      ) : null}
    </div>
  )
})

/** 02:14:19.882, with the date if the list has several days. */
function LineTime({ at, hasDate }: { at: number; hasDate: boolean }) {
  const iso = zonedIso(at, useZone())
  return (
    <time
      className={styles.time}
      dateTime={new Date(at).toISOString()}
      title={formatMoment(at, { withMs: true })}
      suppressHydrationWarning
    >
      {hasDate ? `${iso.slice(5, 10)} ` : ''}
      {iso.slice(11, 23)}
    </time>
  )
}
