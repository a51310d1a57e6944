'use client'
import { formatMoment } from '../format.ts'
import { useZone } from './zone-provider.tsx'

/** A date and time in the reader's zone, with UTC on hover. */
export function Moment({ at, withMs = false }: { at: number; withMs?: boolean }) {
  const zone = useZone()
  const text = formatMoment(at, { zone, withMs })
  const utc = formatMoment(at, { withMs })
  return (
    <time dateTime={new Date(at).toISOString()} title={text === utc ? undefined : utc} suppressHydrationWarning>
      {text}
    </time>
  )
}
