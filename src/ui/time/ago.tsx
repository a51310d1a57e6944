'use client'
import { formatAge, formatBoth } from '../format.ts'
import { useZone } from './zone-provider.tsx'

/** A relative time with the exact time on hover. `now` comes from the page, so that all ages on a page agree. */
export function Ago({ at, now, suffix = ' ago' }: { at: number; now: number; suffix?: string }) {
  const age = formatAge(now - at)
  return (
    <time dateTime={new Date(at).toISOString()} title={formatBoth(at, useZone())} suppressHydrationWarning>
      {age === 'now' ? age : age + suffix}
    </time>
  )
}
