'use client'
import { formatClockTime, formatMoment } from '../format.ts'
import { useZone } from './zone-provider.tsx'

/** 02:40:58.123 in the reader's zone, for lines whose date is known; with the date and UTC on hover. */
export function ClockTime({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at, { withMs: true })} suppressHydrationWarning>
      {formatClockTime(at, useZone())}
    </time>
  )
}
